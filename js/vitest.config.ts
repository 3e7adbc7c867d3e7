import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { defineConfig } from 'vitest/config';

// A zone with summer time, so that an offset that is wrong shows.
process.env['TZ'] = 'Europe/Berlin';

const TEXT = '\0text:';

export default defineConfig({
  plugins: [
    {
      // Style sheets are text here as in the bundles.
      name: 'css-as-text',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source.endsWith('.css') && importer !== undefined ? `${TEXT}${resolve(importer, '..', source)}.txt` : undefined,
      load: id =>
        id.startsWith(TEXT)
          ? `export default ${JSON.stringify(readFileSync(id.slice(TEXT.length, -'.txt'.length), 'utf8'))}`
          : undefined
    }
  ],
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts'], restoreMocks: true, pool: 'threads' }
});
