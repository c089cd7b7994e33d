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
import { getMedian, printFigure, roundTo } from './report.ts';
import { measureMs, startBenchSandbox } from './support.ts';

/**
 * The time to start the command-line tool, to pull, to plan without changes, and to validate. Each is compared with the minimum work that it
 * requires: starting Node, sending the same requests and writing the same files, reading and parsing both sides, and parsing the same files.
 */
const rounds = 5;
const startRounds = 21;
/** The number of requests that the command-line tool sends at a time. */
const concurrency = 6;
const maxOpenFiles = 32;
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

/** Measures both functions alternately. Returns the median ratio, and the median time of the first function. */
async function compare(count: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const ourMs = await measureMs(ours);
    ratios.push(ourMs / (await measureMs(theirs)));
    times.push(ourMs);
  }
  return { ratio: roundTo(getMedian(ratios)), ms: roundTo(getMedian(times), 0) };
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const texts = await mapConcurrently(paths, maxOpenFiles, (path) => readFile(join(folder, path), 'utf8'));
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const folders = new Set([...files.keys()].map((path) => dirname(join(folder, path))));
  await mapConcurrently([...folders], maxOpenFiles, (path) => mkdir(path, { recursive: true }));
  await mapConcurrently([...files], maxOpenFiles, ([path, text]) => writeFile(join(folder, path), text));
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

{
  const help = await compare(
    startRounds,
    () => runNode([script, '--help']),
    () => runNode(['-e', '0']),
  );
  printFigure({ bench: 'cli.help', baseline: 'node -e 0', ...help });
}

const files = await withTemporaryFolder(async (folder) => {
  await using sandbox = await startBenchSandbox('large');
  const pull = (project: string, url = sandbox.url) =>
    runNode(
      [script, 'pull', '--project', project, '--url', url, '--token-env', 'BENCH_TOKEN'],
      sandbox.token,
    );
  const recorder = await startRecordingProxy(sandbox.url);
  await pull(folder, recorder.url);
  recorder.close();
  const pulledFiles = await readFiles(folder);
  const agent = new Agent({ connections: concurrency, pipelining: 1 });
  let bytes = 0;
  const sendRequests = async (read?: (response: Buffer) => void): Promise<void> => {
    bytes = 0;
    await mapConcurrently(recorder.requests, concurrency, async ({ path, headers }) => {
      const { body } = await request(`${sandbox.url}${path}`, { headers, dispatcher: agent });
      const response = Buffer.from(await body.arrayBuffer());
      bytes += response.byteLength;
      read?.(response);
    });
  };
  const figure = await compare(
    rounds,
    () => withTemporaryFolder((project) => pull(project)),
    () =>
      withTemporaryFolder(async (project) => {
        await sendRequests();
        await writeFiles(project, pulledFiles);
      }),
  );
  printFigure({
    bench: 'cli.pull',
    baseline: 'bare requests for the same bytes, and the same files written',
    ...figure,
    requests: recorder.requests.length,
    bytes,
    files: pulledFiles.size,
  });
  await withTemporaryFolder(async (project) => {
    await pull(project);
    const planFigure = await compare(
      rounds,
      () =>
        runNode(
          [
            script,
            'plan',
            '--project',
            project,
            '--state',
            join(project, 'state'),
            '--url',
            sandbox.url,
            '--token-env',
            'BENCH_TOKEN',
          ],
          sandbox.token,
        ),
      // Both sides have to be read and parsed before they can be compared.
      async () => {
        await sendRequests((response) => void JSON.parse(response.toString('utf8')));
        await readAndParse(project);
      },
    );
    printFigure({
      bench: 'cli.plan.same',
      baseline: 'the same requests and files, read and parsed by `JSON.parse`',
      ...planFigure,
      requests: recorder.requests.length,
      files: pulledFiles.size,
    });
  });
  await agent.close();
  return pulledFiles;
});

/** Returns the files of the project with several copies of each table, rule, and viewpoint. */
function multiplyFiles(factor: number): ReadonlyMap<string, string> {
  const copies = [...files].flatMap(([path, text]) =>
    /\/(?:tables|rules)\/|^viewpoints\//.test(path)
      ? Array.from({ length: factor - 1 }, (_, index): [string, string] => [
          path.replaceAll('Table ', `Table ${index}-`),
          text.replaceAll('Table ', `Table ${index}-`),
        ])
      : [],
  );
  return new Map([...files, ...copies]);
}

async function readAndParse(folder: string): Promise<void> {
  for (const [path, text] of await readFiles(folder)) {
    if (path.endsWith('.json')) {
      JSON.parse(text);
    }
  }
}

{
  const timesPerFile: number[] = [];
  for (const factor of [1, 2, 4]) {
    const multipliedFiles = multiplyFiles(factor);
    const figure = await withTemporaryFolder(async (folder) => {
      await writeFiles(folder, multipliedFiles);
      const findings = await validateProject(folder);
      if (findings.length > 0) {
        throw new Error(`The project has findings: ${JSON.stringify(findings[0])}`);
      }
      return compare(
        rounds,
        () => validateProject(folder),
        () => readAndParse(folder),
      );
    });
    timesPerFile.push(figure.ms / multipliedFiles.size);
    printFigure({
      bench: `cli.validate.${factor}x`,
      baseline: 'reading the files, and JSON.parse',
      ...figure,
      files: multipliedFiles.size,
    });
  }
  const [first = Number.NaN, , last = Number.NaN] = timesPerFile;
  printFigure({
    bench: 'cli.validate.growth',
    baseline: 'the time per file of a quarter of the files',
    ratio: roundTo(last / first),
  });
}
