/** The part of the GitHub API that the workflows use, and the data that it stores. */

export const repository = { owner: 'example', repo: 'analytics' };
export const repositoryName = `${repository.owner}/${repository.repo}`;

/** The permissions of a job, by scope. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly user: { readonly login: string };
  body: string;
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly user: { readonly login: string };
  body: string;
  state: 'open' | 'closed';
}

interface PullRequest {
  readonly number: number;
  readonly headSha: string;
  readonly mergeSha: string;
}

export interface StoredRun {
  readonly id: number;
  readonly path: string;
  readonly event: string;
  readonly head_sha: string;
  readonly head_repository: { readonly full_name: string };
  conclusion: 'success' | 'failure' | 'skipped' | null;
}

const bot = { login: 'github-actions[bot]' };

/** The maximum length of a comment and of an issue. */
const maxBodyLength = 65_536;

export class GitHubApi {
  /** At first, only a comment by somebody else exists. */
  readonly comments: Comment[] = [{ id: 1, issue: 1, user: { login: 'ann' }, body: 'Looks good' }];
  readonly issues: Issue[] = [];
  readonly mergedPullRequests: PullRequest[] = [];
  /** Oldest first. */
  readonly runs: StoredRun[] = [];
  #lastId = 1;

  createId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /**
   * Returns the client that `actions/github-script` passes to a script.
   * @param onPermissionsNeeded called with the permissions that a request needs
   */
  createClient(onPermissionsNeeded: (permissions: Permissions) => void) {
    const method =
      <Params, Result>(permissions: Permissions, run: (params: Params) => Result) =>
      async (params: Params): Promise<{ data: Result }> => {
        onPermissionsNeeded(permissions);
        return { data: run(params) };
      };
    const checkBody = (body: string): string => {
      if (body.length > maxBodyLength) {
        throw new Error(`Validation failed: the body has ${body.length} characters`);
      }
      return body;
    };
    const requireFound = <Item>(item: Item | undefined): Item => {
      if (item === undefined) {
        throw new Error('Not Found');
      }
      return item;
    };
    const rest = {
      issues: {
        listComments: method({ 'pull-requests': 'read' }, ({ issue_number }: { issue_number: number }) =>
          this.comments.filter(({ issue }) => issue === issue_number),
        ),
        createComment: method(
          { 'pull-requests': 'write' },
          ({ issue_number, body }: { issue_number: number; body: string }) => {
            this.comments.push({
              id: this.createId(),
              issue: issue_number,
              user: bot,
              body: checkBody(body),
            });
          },
        ),
        updateComment: method(
          { 'pull-requests': 'write' },
          ({ comment_id, body }: { comment_id: number; body: string }) => {
            requireFound(this.comments.find(({ id }) => id === comment_id)).body = checkBody(body);
          },
        ),
        listForRepo: method({ issues: 'read' }, ({ state }: { state: string }) =>
          this.issues.filter((issue) => issue.state === state),
        ),
        create: method({ issues: 'write' }, ({ title, body }: { title: string; body: string }) => {
          this.issues.push({
            number: this.createId(),
            title,
            user: bot,
            body: checkBody(body),
            state: 'open',
          });
        }),
        update: method(
          { issues: 'write' },
          ({ issue_number, body, state }: { issue_number: number; body: string; state?: 'closed' }) => {
            const issue = requireFound(this.issues.find(({ number }) => number === issue_number));
            Object.assign(issue, { body: checkBody(body) }, state === undefined ? {} : { state });
          },
        ),
      },
      repos: {
        listPullRequestsAssociatedWithCommit: method(
          { contents: 'read', 'pull-requests': 'read' },
          ({ commit_sha }: { commit_sha: string }) =>
            this.mergedPullRequests
              .filter(({ mergeSha, headSha }) => [mergeSha, headSha].includes(commit_sha))
              .map(({ headSha, mergeSha }) => ({ head: { sha: headSha }, merge_commit_sha: mergeSha })),
        ),
      },
      actions: {
        getWorkflowRun: method({ actions: 'read' }, ({ run_id }: { run_id: number }) =>
          requireFound(this.runs.find(({ id }) => id === run_id)),
        ),
        listWorkflowRuns: method(
          { actions: 'read' },
          (params: { workflow_id: string; head_sha: string; event: string; status: string }) => ({
            workflow_runs: this.runs
              .filter(
                (run) =>
                  run.path === `.github/workflows/${params.workflow_id}` &&
                  run.head_sha === params.head_sha &&
                  run.event === params.event &&
                  run.conclusion === params.status,
              )
              .toReversed(),
          }),
        ),
      },
    };
    return {
      rest,
      paginate: async <Params, Item>(list: (params: Params) => Promise<{ data: Item[] }>, params: Params) =>
        (await list(params)).data,
    };
  }
}
