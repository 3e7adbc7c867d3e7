import { defineConfig } from 'vitest/config';

// A zone with summer time, so that an offset that is wrong shows.
process.env['TZ'] = 'Europe/Berlin';

export default defineConfig({
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts'], restoreMocks: true }
});
