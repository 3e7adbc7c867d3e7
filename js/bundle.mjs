// Two bundles of one source: the labextension's entry (JupyterLab's packages stay outside, jupyter-builder
// links them) and the anywidget module, which must stand alone.
import { readFile } from 'node:fs/promises';

import { build, transform } from 'esbuild';

const styleAsText = {
  name: 'style-as-text',
  setup: building => {
    building.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  }
};

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  plugins: [styleAsText],
  logLevel: 'warning'
};

await build({
  ...common,
  entryPoints: ['src/index.ts'],
  outfile: 'lib/index.js',
  external: ['@jupyterlab/*', '@lumino/*']
});

await build({
  ...common,
  entryPoints: ['src/widget.ts'],
  outfile: '../jupyter_mcp_elicit/static/widget.js',
  minify: true,
  legalComments: 'none'
});
