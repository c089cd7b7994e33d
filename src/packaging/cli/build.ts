import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { nodeEngine } from './manifest.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Bundles the parts of undici that `client/undiciTransport.ts` uses. The main module of undici also has fetch, web
 * sockets, caches, and mocks, which would be a third of the bundle.
 */
const undiciParts: Plugin = {
  name: 'undici-parts',
  setup(bundle) {
    bundle.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    bundle.onLoad({ filter: /^undici$/, namespace: 'parts' }, () => ({
      contents: `
        Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));
        exports.Agent = require('undici/lib/dispatcher/agent.js');
        exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');`,
      resolveDir: root,
    }));
  },
};

/**
 * Loads Node's modules when the code that imports them runs. Imports of the bundle itself would load all of them first,
 * even for the help.
 */
const lazyNodeModules: Plugin = {
  name: 'lazy-node-modules',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node' } : { path, external: true },
    );
    bundle.onLoad({ filter: /^node:/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Bundles the command-line tool into a single file without chunks, so that it can be copied anywhere. Modules that a
 * command does not need are parsed, but not run.
 */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/cli.js',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: `node${nodeEngine}`,
  mainFields: ['module', 'main'],
  minify: true,
  keepNames: true,
  legalComments: 'none',
  // CommonJS packages load Node's modules with `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: {
    builtVersion: JSON.stringify(version),
    // With it, undici leaves out its experimental HTTP parser, as in Node itself.
    esbuildDetection: 'true',
  },
  plugins: [undiciParts, lazyNodeModules],
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(root, 'dist/cli.meta.json'), JSON.stringify(metafile));
