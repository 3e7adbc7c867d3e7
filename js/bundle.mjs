// Two bundles of one source: the labextension's entry (JupyterLab's packages stay outside, jupyter-builder
// links them) and the anywidget module, which must stand alone.
import { build } from 'esbuild';

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  loader: { '.css': 'text' },
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
