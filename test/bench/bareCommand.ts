import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { mapConcurrently } from '../../src/base/mapConcurrently.ts';
import { measureMs } from './harness/bench.ts';
import { readAndParse, readFiles, withTemporaryFolder, writeFiles } from './projectFiles.ts';

/**
 * The least work that a pull or a plan requires: sends the same requests, and writes, or reads and parses, the same
 * files. Runs in its own process, as the command does, so that neither benefits from code that is already compiled.
 * Prints the milliseconds from the first request on, without the start of the process.
 */

/** The number of requests that the command-line tool sends at once. */
const maxRequests = 6;

/** The task of the process, as JSON in the file that its only argument names. */
export interface BareCommand {
  /** `pull` also writes the files of the folder elsewhere; `plan` also reads them, and parses all JSON. */
  readonly command: 'pull' | 'plan';
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** The folder of the pulled project. */
  readonly folder: string;
}

const [, , file = ''] = process.argv;
const { command, url, requests, folder } = JSON.parse(await readFile(file, 'utf8')) as BareCommand;
const dispatcher = new Agent({ connections: maxRequests, pipelining: 1 });

async function sendRequests(receive: (response: string) => void): Promise<void> {
  await mapConcurrently(requests, maxRequests, async ({ path, headers }) => {
    const { body } = await request(`${url}${path}`, { headers, dispatcher });
    receive(Buffer.from(await body.bytes()).toString());
  });
}

async function pull(): Promise<number> {
  const files = await readFiles(folder);
  return withTemporaryFolder((target) =>
    measureMs(async () => {
      await sendRequests(() => undefined);
      await writeFiles(target, files);
    }),
  );
}

const plan = (): Promise<number> =>
  measureMs(async () => {
    // Both sides have to be read and parsed before they can be compared.
    await sendRequests((response) => JSON.parse(response));
    await readAndParse(folder);
  });

process.stdout.write(String(await (command === 'pull' ? pull() : plan())));
await dispatcher.close();
