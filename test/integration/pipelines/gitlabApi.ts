import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** The tokens of the project: the one for plans also writes comments. */
export const projectTokens = { plan: 'project-token-for-plans', apply: 'project-token-for-applies' };
export const projectId = 7;

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

interface MergeRequest {
  readonly iid: number;
  readonly state: 'opened' | 'merged';
  /** The commits that lead to the merge request: its own, and its merge. */
  readonly commits: readonly string[];
}

export interface StoredPipeline {
  readonly id: number;
  readonly project_id: number;
  readonly source: string;
  readonly mergeRequest: number | undefined;
  status: 'running' | 'success' | 'failed' | 'manual';
  readonly jobs: { readonly id: number; readonly name: string; readonly folder: string }[];
}

const botId = 3;

/** The number of notes on a page: fewer than on GitLab, so that there are several pages. */
const pageSize = 2;

/** The part of the GitLab API that the pipeline uses, and the data that it stores. */
export class GitLabApi {
  readonly notes: Note[] = [1, 2, 3].map((id) => ({ id, author: { id: 1 }, body: 'Looks good' }));
  readonly mergeRequests: MergeRequest[] = [];
  /** Oldest first. */
  readonly pipelines: StoredPipeline[] = [];
  #lastId = 10;

  createId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gitlab.example.com');
    const path = pathname.replace(`/projects/${projectId}`, '');
    const route = `${request.method} ${path}`;
    const send = (value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(200, headers).end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    const token = request.headers['private-token'];
    if (token !== projectTokens.plan && !(token === projectTokens.apply && request.method === 'GET')) {
      response.writeHead(401).end('401 Unauthorized');
      return;
    }
    const [, note] = /^\w+ \/merge_requests\/1\/notes\/(\d+)$/.exec(route) ?? [];
    const [, commit] = /^GET \/repository\/commits\/(\w+)\/merge_requests$/.exec(route) ?? [];
    const [, iid] = /^GET \/merge_requests\/(\d+)\/pipelines$/.exec(route) ?? [];
    const [, pipeline] = /^GET \/pipelines\/(\d+)\/jobs$/.exec(route) ?? [];
    const [, job, artifact = ''] = /^GET \/jobs\/(\d+)\/artifacts\/(.+)$/.exec(route) ?? [];
    if (route === 'GET /user') {
      send({ id: botId });
    } else if (route === 'GET /merge_requests/1/notes') {
      const page = Number(searchParams.get('page'));
      const hasMore = this.notes.length > page * pageSize;
      send(this.notes.slice((page - 1) * pageSize, page * pageSize), {
        'x-next-page': hasMore ? String(page + 1) : '',
      });
    } else if (route === 'POST /merge_requests/1/notes') {
      const { body } = (await json(request)) as Note;
      this.notes.push({ id: this.createId(), author: { id: botId }, body });
      send({});
    } else if (request.method === 'PUT' && note !== undefined) {
      const { body } = (await json(request)) as Note;
      Object.assign(this.notes.find(({ id }) => id === Number(note)) ?? {}, { body });
      send({});
    } else if (commit !== undefined) {
      send(this.mergeRequests.filter(({ commits }) => commits.includes(commit)));
    } else if (iid !== undefined) {
      send(this.pipelines.filter(({ mergeRequest }) => mergeRequest === Number(iid)).toReversed());
    } else if (pipeline !== undefined) {
      send(this.pipelines.find(({ id }) => id === Number(pipeline))?.jobs);
    } else if (job !== undefined) {
      const jobs = this.pipelines.flatMap((stored) => stored.jobs);
      send(await readFile(join(jobs.find(({ id }) => id === Number(job))?.folder ?? '', artifact), 'utf8'));
    } else {
      response.writeHead(404).end(`404 Not Found: ${route}`);
    }
  }
}
