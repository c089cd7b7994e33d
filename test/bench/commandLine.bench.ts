import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { validateProject } from '../../src/project/validate/validateProject.ts';
import type { BareCommand } from './bareCommand.ts';
import { compare, measureCpuMs, measureMs } from './harness/bench.ts';
import { readAndParse, readFiles, withTemporaryFolder, writeFiles } from './projectFiles.ts';
import { startBenchSandbox } from './support.ts';

/**
 * The time to start the command-line tool, to pull, to plan without changes, and to validate. Each is compared with the
 * least work that it requires: starting Node, sending the same requests and writing the same files, reading and parsing
 * both sides, and parsing the same files.
 */
const script = join(projectRoot, 'dist', 'cli.js');

/** Runs a program with Node.js, and returns what it prints. */
async function runNode(args: readonly string[], token = ''): Promise<string> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, BENCH_TOKEN: token },
  });
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) {
    throw new Error(`node ${args.join(' ')} ended with ${String(code)}`);
  }
  return output;
}

/** Does the least work that a command requires, in a separate process. Returns the milliseconds that it took. */
function measureBareCommand(bareCommand: BareCommand): Promise<number> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, 'command.json');
    await writeFile(file, JSON.stringify(bareCommand));
    return Number(await runNode([join(import.meta.dirname, 'bareCommand.ts'), file]));
  });
}

/** Starts a proxy that forwards requests to a server and records them. */
async function startRecordingProxy(target: string) {
  const requests: BareCommand['requests'][number][] = [];
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
  const bareCommand = { url: sandbox.url, requests: recorder.requests };
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
      base: () => measureBareCommand({ ...bareCommand, command: 'pull', folder }),
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
        base: () => measureBareCommand({ ...bareCommand, command: 'plan', folder: project }),
      },
    );
  });
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
      what: 'Validation of four times as many items, per file, processor time',
      baseline: 'the same for the original number',
      limit: 1.2,
      details: { files: largeFileCount },
    },
    {
      subject: async () => (await validate(largeProject)()) / largeFileCount,
      base: async () => (await validate(project)()) / fileCount,
    },
  );
});
