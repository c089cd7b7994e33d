import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { parse } from 'yaml';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { GitHubApi, type Permissions, type StoredRun, repository, repositoryName } from './githubApi.ts';
import { type Contexts, type JobStatus, shouldRun, substitute } from './githubExpressions.ts';
import type { EnvironmentName, PipelineProject } from './pipelineProject.ts';
import { runBash } from './runBash.ts';

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions: Permissions;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly environment?: string | { readonly name: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly path: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Returns the text of a workflow of docs/ci.md. */
export const readWorkflowText = (name: string): string =>
  readFileSync(join(projectRoot, 'docs/ci/github', name), 'utf8');

/** Reads a workflow of docs/ci.md. */
export const readWorkflow = (name: string): Workflow => ({
  ...(parse(readWorkflowText(name)) as Omit<Workflow, 'path'>),
  path: `.github/workflows/${name}`,
});

export interface WorkflowEvent {
  readonly name: 'pull_request' | 'push' | 'workflow_dispatch' | 'schedule';
  readonly ref: string;
  /** The commit that is checked out. */
  readonly sha: string;
  /**
   * The commit that the run is listed with: for a pull request, the head of its branch, and not its merge into main.
   */
  readonly headSha?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface JobRun {
  readonly id: string;
  readonly environment: string | undefined;
  readonly conclusion: 'success' | 'failure' | 'skipped';
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The name of a step in messages, and in the list of steps that were run. */
const getStepName = ({ name, uses, id }: Step): string => name ?? uses ?? id ?? '';

interface JobContext {
  readonly workflow: Workflow;
  readonly event: WorkflowEvent;
  readonly run: StoredRun;
  readonly jobId: string;
  readonly job: Job;
  readonly folder: string;
  readonly contexts: Contexts;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs workflows as GitHub does: `run` steps in Bash, and those that only GitHub can run as {@link GitHubHost.actions}
 * lists them. Records what was run, and which permissions that needed.
 */
export class GitHubHost {
  readonly api = new GitHubApi();
  /** Secrets by environment of GitHub and name. */
  readonly secrets = new Map<string, Readonly<Record<string, string>>>();
  /** Called when a job waits for the approval of the environment `prod`. */
  onApproval: () => Promise<boolean> = async () => true;
  /** The steps that were run, as `workflow job: step`. */
  readonly ranSteps = new Set<string>();
  /** The permissions that each job needed, by `workflow job`. */
  readonly usedPermissions = new Map<string, Permissions>();
  readonly uploadedSarif: string[] = [];
  readonly #project: PipelineProject;
  /** The folders of artifacts by run and name. */
  readonly #artifacts = new Map<string, string>();

  constructor(project: PipelineProject) {
    this.#project = project;
  }

  /** Runs a workflow. Returns its jobs, one for each combination of a matrix. */
  async run(workflow: Workflow, event: WorkflowEvent): Promise<{ run: StoredRun; jobs: readonly JobRun[] }> {
    const run: StoredRun = {
      id: this.api.createId(),
      path: workflow.path,
      event: event.name,
      head_sha: event.headSha ?? event.sha,
      head_repository: { full_name: repositoryName },
      conclusion: null,
    };
    this.api.runs.push(run);
    const jobs: JobRun[] = [];
    for (const [jobId, job] of Object.entries(workflow.jobs)) {
      const needs = [job.needs ?? []].flat();
      const combinations = Object.entries(job.strategy?.matrix ?? {}).flatMap(([name, values]) =>
        values.map((value) => ({ [name]: value })),
      );
      const needed = jobs.filter(({ id }) => needs.includes(id));
      const runs = (combinations.length === 0 ? [{}] : combinations).map((matrix) =>
        this.#runJob({ workflow, event, run, jobId, job, needed, matrix }),
      );
      jobs.push(...(await Promise.all(runs)));
    }
    run.conclusion = jobs.some(({ conclusion }) => conclusion === 'failure') ? 'failure' : 'success';
    return { run, jobs };
  }

  async #runJob({
    needed,
    matrix,
    ...rest
  }: Pick<JobContext, 'workflow' | 'event' | 'run' | 'jobId' | 'job'> & {
    readonly needed: readonly JobRun[];
    readonly matrix: Readonly<Record<string, string>>;
  }): Promise<JobRun> {
    const { event, run, jobId, job } = rest;
    const github = {
      event_name: event.name,
      event: event.payload ?? {},
      ref: event.ref,
      sha: event.sha,
      repository: repositoryName,
      run_id: run.id,
      token: 'token-of-github',
    };
    const outerContexts = {
      github,
      inputs: event.inputs ?? {},
      matrix,
      needs: Object.fromEntries(needed.map(({ id, outputs }) => [id, { outputs }])),
      vars: { CODE_SCANNING: 'true' },
    };
    const { environment } = job;
    const name = substitute(
      typeof environment === 'string' ? environment : (environment?.name ?? ''),
      outerContexts,
    );
    const base = { id: jobId, environment: name === '' ? undefined : name, outputs: {} };
    const areNeedsMet = needed.every(({ conclusion }) => conclusion === 'success');
    if (!shouldRun(job.if, outerContexts, areNeedsMet ? 'success' : 'failure')) {
      return { ...base, conclusion: 'skipped', log: '' };
    }
    await this.#enterEnvironment(name, event);
    const temp = await this.#project.createFolder();
    const folder = join(temp, 'workspace');
    await mkdir(folder);
    const contexts = {
      ...outerContexts,
      secrets: this.secrets.get(name) ?? {},
      runner: { temp },
    };
    const env = substituteAll(job.env ?? {}, contexts);
    const fileEnv = { GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), GITHUB_OUTPUT: join(temp, 'output') };
    await writeFile(fileEnv.GITHUB_OUTPUT, '');
    return {
      ...base,
      ...(await this.#runSteps({
        ...rest,
        folder,
        contexts: { ...contexts, env },
        env: {
          ...this.#project.createJobEnv(temp),
          GITHUB_ACTIONS: 'true',
          RUNNER_TEMP: temp,
          ...fileEnv,
          ...env,
        },
      })),
    };
  }

  /**
   * Applies the protection that docs/ci.md asks for: `test` and `prod` allow only main, and `prod` requires an
   * approval.
   */
  async #enterEnvironment(name: string, { ref }: WorkflowEvent): Promise<void> {
    if ((name === 'test' || name === 'prod') && ref !== 'refs/heads/main') {
      throw new Error(`The environment ${name} does not allow ${ref}`);
    }
    if (name === 'prod' && !(await this.onApproval())) {
      throw new Error('Nobody approved');
    }
  }

  async #runSteps(context: JobContext): Promise<Pick<JobRun, 'conclusion' | 'log' | 'outputs'>> {
    const { workflow, jobId, job } = context;
    let status: JobStatus = 'success';
    let log = '';
    const steps: Record<string, { outputs: Record<string, string> }> = {};
    for (const step of job.steps) {
      const contexts = { ...context.contexts, steps };
      if (!shouldRun(step.if, contexts, status)) {
        continue;
      }
      this.ranSteps.add(`${workflow.path} ${jobId}: ${getStepName(step)}`);
      const env = { ...context.env, ...substituteAll(step.env ?? {}, contexts) };
      const outputs: Record<string, string> = {};
      const failure = await this.#runStep(step, { ...context, contexts, env }, outputs);
      log += failure.log;
      status = failure.isFailed ? 'failure' : status;
      if (step.id !== undefined) {
        const lines = (await readFile(env['GITHUB_OUTPUT'] ?? '', 'utf8')).split('\n').filter(Boolean);
        const written = lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]);
        steps[step.id] = { outputs: { ...Object.fromEntries(written), ...outputs } };
      }
    }
    const outputs = substituteAll(job.outputs ?? {}, { ...context.contexts, steps });
    return { conclusion: status, log, outputs };
  }

  async #runStep(
    step: Step,
    context: JobContext,
    outputs: Record<string, string>,
  ): Promise<{ readonly isFailed: boolean; readonly log: string }> {
    if (step.run !== undefined) {
      if (step.run.includes('${{')) {
        throw new Error('An expression in a script can inject commands. Use a variable.');
      }
      if (/\bgit push\b/.test(step.run)) {
        this.#recordPermissions(context, { contents: 'write' });
      }
      const { code, log } = await runBash(step.run, { flags: ['-e'], cwd: context.folder, env: context.env });
      return { isFailed: code !== 0, log };
    }
    const [name = ''] = step.uses?.split('@') ?? [];
    const action = this.actions[name];
    if (action === undefined) {
      throw new Error(`The test can't run ${name}`);
    }
    const inputs = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([key, value]) => [
        key,
        key === 'script' ? String(value) : substitute(String(value), context.contexts),
      ]),
    );
    try {
      await action(inputs, context, outputs);
      return { isFailed: false, log: '' };
    } catch (error) {
      return { isFailed: true, log: `${String(error)}\n` };
    }
  }

  #recordPermissions({ workflow, jobId }: JobContext, permissions: Permissions): void {
    const key = `${workflow.path} ${jobId}`;
    const used = this.usedPermissions.get(key) ?? {};
    const additions = Object.entries(permissions).filter(([scope]) => used[scope] !== 'write');
    this.usedPermissions.set(key, { ...used, ...Object.fromEntries(additions) });
  }

  /** Replacements for the steps that only GitHub can run. */
  readonly actions: Readonly<
    Record<
      string,
      (
        inputs: Readonly<Record<string, string>>,
        context: JobContext,
        outputs: Record<string, string>,
      ) => Promise<void>
    >
  > = {
    'actions/checkout': async (_inputs, context) => {
      this.#recordPermissions(context, { contents: 'read' });
      const { code, log } = await runBash(
        'git init --quiet . && git remote add origin "$ORIGIN" && git fetch --quiet --depth=1 origin "$SHA" && git checkout --quiet --detach FETCH_HEAD',
        {
          flags: ['-e'],
          cwd: context.folder,
          env: { ...context.env, ORIGIN: this.#project.origin, SHA: context.event.sha },
        },
      );
      if (code !== 0) {
        throw new Error(log);
      }
    },
    // Node is installed already.
    'actions/setup-node': async () => undefined,
    'actions/upload-artifact': async ({ name, path = '', ...options }, { folder, run }) => {
      const source = path.startsWith('/') ? path : join(folder, path);
      if (!existsSync(source)) {
        if (options['if-no-files-found'] === 'ignore') {
          return;
        }
        throw new Error(`No files at ${path}`);
      }
      const target = join(await this.#project.createFolder(), 'artifact');
      // An artifact of a single file has only its name.
      await cp(source, path.endsWith('/') ? target : join(target, path.split('/').at(-1) ?? ''), {
        recursive: true,
      });
      this.#artifacts.set(`${run.id} ${name}`, target);
    },
    'actions/download-artifact': async ({ name, path = '', ...options }, context) => {
      this.#recordPermissions(context, { actions: 'read' });
      const source = this.#artifacts.get(`${options['run-id']} ${name}`);
      if (source === undefined || options['github-token'] === '') {
        throw new Error(`Artifact not found: ${name}`);
      }
      await cp(source, join(context.folder, path), { recursive: true });
    },
    'github/codeql-action/upload-sarif': async ({ sarif_file: path = '' }, context) => {
      // In a private repository, it reads the run, too.
      this.#recordPermissions(context, { actions: 'read', 'security-events': 'write' });
      this.uploadedSarif.push(await readFile(join(context.folder, path), 'utf8'));
    },
    'actions/github-script': async ({ script = '' }, context, outputs) => {
      const { event, folder, env } = context;
      const failures: string[] = [];
      const resolve = (path: string): string => join(folder, path);
      const scope = {
        github: this.api.createClient((permissions) => this.#recordPermissions(context, permissions)),
        context: {
          repo: repository,
          serverUrl: 'https://github.example.com',
          runId: context.run.id,
          sha: event.sha,
          payload: event.payload,
          issue: { number: (event.payload?.['pull_request'] as { number?: number } | undefined)?.number },
        },
        core: {
          setOutput: (name: string, value: unknown) => {
            outputs[name] = String(value);
          },
          setFailed: (message: string) => failures.push(message),
        },
        process: { env },
        // Paths are relative to the workspace of the job, which is not the current folder of the test.
        require: () => ({
          existsSync: (path: string) => existsSync(resolve(path)),
          readFileSync: (path: string, encoding: 'utf8') => readFileSync(resolve(path), encoding),
        }),
      };
      const run = compileFunction(`return (async () => {${script}\n})();`, Object.keys(scope)) as (
        ...values: readonly unknown[]
      ) => Promise<void>;
      await run(...Object.values(scope));
      if (failures.length > 0) {
        throw new Error(failures.join('\n'));
      }
    },
  };

  /** Returns the folder with the files of an artifact. */
  getArtifact(run: StoredRun, name: string): string {
    const folder = this.#artifacts.get(`${run.id} ${name}`);
    if (folder === undefined) {
      throw new Error(`Artifact not found: ${name}`);
    }
    return folder;
  }

  /** Returns the names of the files in an artifact. */
  async listArtifact(run: StoredRun, name: string): Promise<readonly string[]> {
    return (await readdir(this.getArtifact(run, name))).toSorted();
  }
}

const substituteAll = (
  values: Readonly<Record<string, string>>,
  contexts: Contexts,
): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, substitute(value, contexts)]));

/** The environments of GitHub that a job for an instance can have. */
export const getSecrets = (
  project: PipelineProject,
  environment: EnvironmentName,
): readonly (readonly [string, Readonly<Record<string, string>>])[] =>
  [environment, `plan-${environment}`].map((name) => [name, { STUDIO_TOKEN: project.getToken(environment) }]);
