import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent, request } from 'undici';
import { mapConcurrently } from '../../src/base/mapConcurrently.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { validateProject } from '../../src/project/validate/validateProject.ts';
import { compare, measureCpuMs, measureMs } from './harness/bench.ts';
import { startBenchSandbox } from './support.ts';

/**
 * The time to start the command-line tool, to pull, to plan without changes, and to validate. Each is compared with the
 * least work that it requires: starting Node, sending the same requests and writing the same files, reading and parsing
 * both sides, and parsing the same files.
 */
/** The number of requests that the command-line tool sends at once. */
const maxRequests = 6;
/** The number of files that a pull writes at once, and that reading a project opens at once. */
const maxWrites = 16;
const maxReads = 32;
const script = join(projectRoot, 'dist', 'cli.js');

async function runNode(args: readonly string[], token = ''): Promise<void> {
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, BENCH_TOKEN: token },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new Error(`node ${args.join(' ')} ended with ${String(code)}`);
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const texts = await mapConcurrently(paths, maxReads, (path) => readFile(join(folder, path), 'utf8'));
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const folders = new Set([...files.keys()].map((path) => dirname(join(folder, path))));
  await mapConcurrently([...folders], maxWrites, (path) => mkdir(path, { recursive: true }));
  await mapConcurrently([...files], maxWrites, ([path, text]) => writeFile(join(folder, path), text));
}

/** Passes an empty temporary folder to a function, and removes the folder afterwards. */
async function withTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts a proxy that forwards requests to a server and records them. */
async function startRecordingProxy(target: string) {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    requests.push({ path, headers });
    const forward = async (): Promise<void> => {
      const { statusCode, headers: responseHeaders, body } = await request(`${target}${path}`, { headers });
      outgoing.writeHead(statusCode, { 'content-type': String(responseHeaders['content-type']) });
      outgoing.end(Buffer.from(await body.arrayBuffer()));
    };
    void forward();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { requests, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

await compare(
  {
    name: 'help',
    what: '`datamodel-studio --help`',
    baseline: '`node -e 0`',
    limit: 2,
    maxPairs: 100,
  },
  {
    subject: () => measureMs(() => runNode([script, '--help'])),
    base: () => measureMs(() => runNode(['-e', '0'])),
  },
);

const pulledFiles = await withTemporaryFolder(async (folder) => {
  await using sandbox = await startBenchSandbox('large');
  const pull = (project: string, url = sandbox.url) =>
    runNode(
      [script, 'pull', '--project', project, '--url', url, '--token-env', 'BENCH_TOKEN'],
      sandbox.token,
    );
  const recorder = await startRecordingProxy(sandbox.url);
  await pull(folder, recorder.url);
  recorder.close();
  const files = await readFiles(folder);
  const agent = new Agent({ connections: maxRequests, pipelining: 1 });
  const sendRequests = async (read?: (response: string) => void): Promise<void> => {
    await mapConcurrently(recorder.requests, maxRequests, async ({ path, headers }) => {
      const { body } = await request(`${sandbox.url}${path}`, { headers, dispatcher: agent });
      const bytes = await body.bytes();
      read?.(Buffer.from(bytes).toString());
    });
  };
  await compare(
    {
      name: 'pull',
      what: `A pull of the large seed, ${files.size.toLocaleString('en-US')} files`,
      baseline: 'bare requests for the same bytes, and the same files written',
      limit: 3,
      details: { requests: recorder.requests.length },
    },
    {
      subject: () => withTemporaryFolder((project) => measureMs(() => pull(project))),
      base: () =>
        withTemporaryFolder((project) =>
          measureMs(async () => {
            await sendRequests();
            await writeFiles(project, files);
          }),
        ),
    },
  );
  await withTemporaryFolder(async (project) => {
    await pull(project);
    const planArguments = ['plan', '--project', project, '--state', join(project, 'state')];
    await compare(
      {
        name: 'plan',
        what: `A plan without changes, large seed, ${files.size.toLocaleString('en-US')} files`,
        baseline: 'the same requests and files, read and parsed by `JSON.parse`',
        limit: 1.5,
        details: { requests: recorder.requests.length },
      },
      {
        subject: () =>
          measureMs(() =>
            runNode(
              [script, ...planArguments, '--url', sandbox.url, '--token-env', 'BENCH_TOKEN'],
              sandbox.token,
            ),
          ),
        // Both sides have to be read and parsed before they can be compared.
        base: () =>
          measureMs(async () => {
            await sendRequests((response) => JSON.parse(response));
            await readAndParse(project);
          }),
      },
    );
  });
  await agent.close();
  return files;
});

/** Returns the files of the project with several copies of each table, rule, and viewpoint. */
function multiplyFiles(factor: number): ReadonlyMap<string, string> {
  const copies = [...pulledFiles].flatMap(([path, text]) =>
    /\/(?:tables|rules)\/|^viewpoints\//.test(path)
      ? Array.from({ length: factor - 1 }, (_, index): [string, string] => [
          path.replaceAll('Table ', `Table ${index}-`),
          text.replaceAll('Table ', `Table ${index}-`),
        ])
      : [],
  );
  return new Map([...pulledFiles, ...copies]);
}

async function readAndParse(folder: string): Promise<void> {
  for (const [path, text] of await readFiles(folder)) {
    if (path.endsWith('.json')) {
      JSON.parse(text);
    }
  }
}

/** Writes a project with several copies of the files, and checks that it has no findings. */
async function writeProject(folder: string, factor: number): Promise<number> {
  const files = multiplyFiles(factor);
  await writeFiles(folder, files);
  const [finding] = await validateProject(folder);
  if (finding !== undefined) {
    throw new Error(`The project has findings: ${JSON.stringify(finding)}`);
  }
  return files.size;
}

await withTemporaryFolder(async (folder) => {
  const [project, largeProject] = [join(folder, 'project'), join(folder, 'largeProject')];
  const fileCount = await writeProject(project, 1);
  const largeFileCount = await writeProject(largeProject, 4);
  const validate = (path: string) => () => measureCpuMs(() => validateProject(path));
  await compare(
    {
      name: 'validate',
      what: 'Validation of 500 tables, 2,000 rules, and 5,000 viewpoints, processor time',
      baseline: 'reading the files, and `JSON.parse`',
      limit: 3,
      details: { files: fileCount },
    },
    { subject: validate(project), base: () => measureCpuMs(() => readAndParse(project)) },
  );
  await compare(
    {
      name: 'validateGrowth',
      what: 'Validation of four times as many, per file, processor time',
      baseline: 'the same of one time',
      limit: 1.2,
      details: { files: largeFileCount },
    },
    {
      subject: async () => (await validate(largeProject)()) / largeFileCount,
      base: async () => (await validate(project)()) / fileCount,
    },
  );
});
