import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { createOutputJsonSchemas } from '../../cli/outputJsonSchemas.ts';
import { createPortableProjectSchemas } from '../schemas/projectDocuments.ts';

/** Starts the comment with the deferred modules, which is the last occurrence of this text in the file. */
const commentStart = '/*deferred:';

/**
 * Returns the code of deferred modules as a comment, which Node skips faster than anything else. It is compressed: that
 * makes it a third as long, for a few milliseconds in each command. It ends with the file.
 */
export function formatDeferredComment(code: string): string {
  const compressed = brotliCompressSync(code, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(code),
    },
  });
  return `${commentStart}${compressed.toString('base64')}*/\n`;
}

/**
 * Defers modules that are imported dynamically: their code is in a comment at the end of the file, which is compiled
 * when the first of them is imported. Compiling everything at startup would take longer than printing the help. The
 * file takes its own path from the command line of the process, because the syntax for the path of a module depends on
 * the kind of module.
 * @param paths receives the absolute paths of the deferred modules
 */
export const deferModules = (paths: string[]): Plugin => ({
  name: 'defer-modules',
  setup(pluginBuild) {
    const loader = 'deferred-loader';
    pluginBuild.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') {
        return undefined;
      }
      const absolutePath = join(resolveDir, path);
      if (!paths.includes(absolutePath)) {
        paths.push(absolutePath);
      }
      return { path: absolutePath, namespace: 'deferred', pluginData: paths.indexOf(absolutePath) };
    });
    pluginBuild.onLoad({ filter: /.*/, namespace: 'deferred' }, ({ pluginData }) => ({
      contents: `module.exports = require(${JSON.stringify(loader)}).load(${String(pluginData)});`,
    }));
    pluginBuild.onResolve({ filter: new RegExp(`^${loader}$`) }, () => ({ path: loader, namespace: loader }));
    pluginBuild.onLoad({ filter: /.*/, namespace: loader }, () => ({
      contents: `
        import { readFileSync } from 'node:fs';
        import { createRequire } from 'node:module';
        import { compileFunction } from 'node:vm';
        import { brotliDecompressSync } from 'node:zlib';
        let modules;
        export function load(index) {
          if (modules === undefined) {
            const path = createRequire(process.argv[1]).resolve(process.argv[1]);
            const text = readFileSync(path, 'latin1');
            const start = text.lastIndexOf(${JSON.stringify(commentStart)}) + ${commentStart.length};
            const compressed = Buffer.from(text.slice(start, text.lastIndexOf('*/')), 'base64');
            const code = brotliDecompressSync(compressed).toString();
            modules = [];
            compileFunction(code, ['exports'], { filename: path })(modules);
          }
          return modules[index]();
        };`,
    }));
  },
});

/** Returns the code of a module whose export is a list of functions, each of which loads one of the modules. */
export const composeDeferredEntry = (paths: readonly string[]): string =>
  paths.map((path, index) => `exports[${index}] = () => require(${JSON.stringify(path)});`).join('\n');

/**
 * Loads Node's modules when the code that imports them runs. Static imports would load all of them at startup,
 * even to print the help.
 */
export const lazyNodeModules: Plugin = {
  name: 'lazy-node-modules',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^[a-z]/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: 'node' } : undefined,
    );
    pluginBuild.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Bundles the parts of undici that `client/undiciTransport.ts` uses. The main module of undici also has fetch, web
 * sockets, caches, and mocks, which would be a third of the bundle. Request bodies are texts and HTTP/2 is never used,
 * so the code for form data and for HTTP/2 is not needed, either. Of the constants of the HTTP parser, which are mostly
 * lists of methods, statuses and characters, only those that the HTTP/1 client uses are bundled.
 */
export const bundleUndiciParts = (root: string): Plugin => ({
  name: 'undici-parts',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'parts' }, () => ({
      contents: `
        Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));
        exports.Agent = require('undici/lib/dispatcher/agent.js');
        exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');`,
      resolveDir: root,
    }));
    pluginBuild.onResolve({ filter: /^\.\/client-h2\.js$/ }, ({ path }) => ({ path, namespace: 'http2' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'http2' }, () => ({ contents: '' }));
    pluginBuild.onResolve({ filter: /^\.\.\/web\/(fetch|webidl)/ }, ({ path }) => ({
      path,
      namespace: 'form-data',
    }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'form-data' }, () => ({
      contents: 'exports.webidl = { is: { FormData: () => false } };',
    }));
    pluginBuild.onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, async ({ path }) => {
      const user = await readFile(join(dirname(path), '../dispatcher/client-h1.js'), 'utf8');
      const names = new Set(user.matchAll(/\bconstants\.(\w+)/g).map(([, name]) => name));
      const members = Object.entries(createRequire(path)(path) as object);
      return {
        contents: `module.exports = ${JSON.stringify(Object.fromEntries(members.filter(([name]) => names.has(name))))};`,
      };
    });
  },
});

/**
 * Of the two versions of undici's HTTP parser in WebAssembly, only the one that runs on every processor is bundled: the
 * other one, for SIMD, is as large, and only reads headers faster.
 */
export const omitSimdHttpParser: Plugin = {
  name: 'omit-simd-http-parser',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = require('./llhttp-wasm.js');`,
      resolveDir: dirname(path),
    }));
  },
};

/**
 * Creates the JSON schemas of project files and outputs when the file is built. So zod's own code for JSON schemas is
 * not needed.
 */
export const precomputedSchemas: Plugin = {
  name: 'precomputed-schemas',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /packaging[\\/]schemas[\\/]projectDocuments\.ts$/ }, () => ({
      contents: composeConstant(createPortableProjectSchemas),
    }));
    pluginBuild.onLoad({ filter: /cli[\\/]outputJsonSchemas\.ts$/ }, () => ({
      contents: composeConstant(createOutputJsonSchemas),
    }));
    const jsonSchemaModules = /zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;
    pluginBuild.onLoad({ filter: jsonSchemaModules }, async ({ path }) => {
      const names = (await readFile(path, 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm);
      return { contents: Array.from(names, ([, name]) => `export const ${name} = () => {};`).join('\n') };
    });
  },
};

/** Returns the code of a module with a function of the same name that returns the same JSON value. */
const composeConstant = (create: () => unknown): string =>
  `export const ${create.name} = () => JSON.parse(${JSON.stringify(JSON.stringify(create()))});`;
