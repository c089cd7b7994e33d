import { cp, mkdir } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { GitLabApi, type StoredPipeline, projectId, projectTokens } from './gitlabApi.ts';
import type { PipelineProject } from './pipelineProject.ts';
import { runBash } from './runBash.ts';

interface Rule {
  readonly if: string;
  readonly when?: 'manual';
  readonly allow_failure?: boolean;
}

export interface Job {
  readonly stage: string;
  readonly extends?: string;
  readonly rules: readonly Rule[];
  readonly needs?: readonly { readonly job: string; readonly optional?: boolean }[];
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly string[]>>[] };
  readonly environment?: { readonly name: string; readonly action?: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly artifacts: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports?: { readonly junit: string };
  };
}

export interface Pipeline {
  readonly stages: readonly string[];
  readonly workflow: { readonly rules: readonly Rule[] };
  readonly default: { readonly before_script: readonly string[] };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Reads the pipeline in docs/ci/gitlab/gitlab-ci.yml. Hidden jobs are merged into those that extend them. */
export function readPipeline(): Pipeline {
  const text = readFileSync(join(projectRoot, 'docs/ci/gitlab/gitlab-ci.yml'), 'utf8');
  const { workflow, stages, default: defaults, ...all } = parse(text) as Record<string, object>;
  const jobs = Object.entries(all as Record<string, Job>)
    .filter(([name]) => !name.startsWith('.'))
    .map(
      ([name, job]) => [name, { ...(job.extends === undefined ? {} : all[job.extends]), ...job }] as const,
    );
  return { workflow, stages, default: defaults, jobs: Object.fromEntries(jobs) } as unknown as Pipeline;
}

/** Evaluates a condition of comparisons, `&&`, and `||`. */
function isTrue(condition: string, variables: Readonly<Record<string, string>>): boolean {
  const getValue = (operand: string): string =>
    operand.startsWith('$') ? (variables[operand.slice(1)] ?? '') : operand.replace(/^"(.*)"$/, '$1');
  return condition.split('||').some((alternative) =>
    alternative.split('&&').every((comparison) => {
      const [, left = '', operator, right = ''] = /^(\S+) (==|!=) (\S+)$/.exec(comparison.trim()) ?? [];
      if (operator === undefined) {
        throw new Error(`The test can't evaluate ${comparison}`);
      }
      return (getValue(left) === getValue(right)) === (operator === '==');
    }),
  );
}

export interface PipelineEvent {
  readonly source: 'merge_request_event' | 'push' | 'web' | 'schedule';
  readonly sha: string;
  /** The variables of a merge request. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface JobRun {
  readonly name: string;
  readonly code: number | null;
  readonly log: string;
  /** The folder with the artifacts. */
  readonly artifacts: string;
}

/** Runs the pipeline as GitLab does, with its API on a port of this machine. */
export class GitLabHost {
  readonly api = new GitLabApi();
  /** The value of STUDIO_TOKEN in each scope of environments. */
  readonly tokens = new Map<string, string>();
  readonly pipeline = readPipeline();
  readonly #project: PipelineProject;
  readonly #apiUrl: string;

  constructor(project: PipelineProject, apiUrl: string) {
    this.#project = project;
    this.#apiUrl = apiUrl;
  }

  /** Returns the variables that docs/ci.md gives to an environment. Those for applies are protected. */
  getScopedVariables(environment: string, { source }: PipelineEvent): Readonly<Record<string, string>> {
    const isPlan = environment.startsWith('plan/');
    const token = this.tokens.get(environment);
    return environment === '' || (!isPlan && source === 'merge_request_event')
      ? {}
      : {
          PROJECT_TOKEN: isPlan ? projectTokens.plan : projectTokens.apply,
          ...(token === undefined ? {} : { STUDIO_TOKEN: token }),
        };
  }

  /** Creates a pipeline for an event. */
  create(event: PipelineEvent): PipelineRun {
    const variables = {
      CI_PIPELINE_SOURCE: event.source,
      CI_DEFAULT_BRANCH: 'main',
      ...(event.source === 'merge_request_event' ? {} : { CI_COMMIT_BRANCH: 'main' }),
      CI_COMMIT_SHA: event.sha,
      CI_PROJECT_ID: String(projectId),
      CI_API_V4_URL: this.#apiUrl,
      CI_SERVER_HOST: 'gitlab.example.com',
      CI_JOB_URL: 'https://gitlab.example.com/example/analytics/-/jobs/1',
      ...event.variables,
    };
    if (!this.pipeline.workflow.rules.some((rule) => isTrue(rule.if, variables))) {
      throw new Error('No pipeline runs for this event');
    }
    const mergeRequest = event.variables?.['CI_MERGE_REQUEST_IID'];
    const stored: StoredPipeline = {
      id: this.api.createId(),
      project_id: projectId,
      source: event.source,
      mergeRequest: mergeRequest === undefined ? undefined : Number(mergeRequest),
      status: 'running',
      jobs: [],
    };
    this.api.pipelines.push(stored);
    return new PipelineRun(this, this.#project, { event, variables, stored });
  }
}

/** One run of the pipeline. */
export class PipelineRun {
  readonly #host: GitLabHost;
  readonly #project: PipelineProject;
  readonly #context: {
    readonly event: PipelineEvent;
    readonly variables: Readonly<Record<string, string>>;
    readonly stored: StoredPipeline;
  };
  readonly jobs = new Map<string, JobRun>();
  /** The jobs that wait for a person. */
  readonly manualJobs: string[] = [];

  constructor(
    host: GitLabHost,
    project: PipelineProject,
    context: {
      readonly event: PipelineEvent;
      readonly variables: Readonly<Record<string, string>>;
      readonly stored: StoredPipeline;
    },
  ) {
    this.#host = host;
    this.#project = project;
    this.#context = context;
  }

  /** Runs the jobs that need no manual start. Returns the exit codes of all jobs that have run, by name. */
  async run(): Promise<Readonly<Record<string, number | null>>> {
    const { jobs, stages } = this.#host.pipeline;
    for (const stage of stages) {
      const selected = Object.entries(jobs).flatMap(([name, job]) => {
        const rule = job.rules.find((candidate) => isTrue(candidate.if, this.#context.variables));
        if (job.stage !== stage || rule === undefined) {
          return [];
        }
        if (rule.when === 'manual') {
          this.manualJobs.push(name);
          return [];
        }
        return this.#expand(name, job);
      });
      await Promise.all(selected.map(([name, job]) => this.#runJob(name, job)));
    }
    return this.#finish();
  }

  /** Starts a job that waits for a person. */
  async play(name: string, variables: Readonly<Record<string, string>> = {}): Promise<JobRun> {
    const job = this.#host.pipeline.jobs[name];
    if (job === undefined || !this.manualJobs.includes(name)) {
      throw new Error(`${name} is not a manual job of this pipeline`);
    }
    await this.#runJob(name, { ...job, variables: { ...job.variables, ...variables } });
    this.#finish();
    const run = this.jobs.get(name);
    if (run === undefined) {
      throw new Error(`${name} needs a job that has not succeeded`);
    }
    return run;
  }

  #expand(name: string, job: Job): readonly (readonly [string, Job])[] {
    const [matrix] = job.parallel?.matrix ?? [];
    const [[variable, values] = []] = Object.entries(matrix ?? {});
    return variable === undefined || values === undefined
      ? [[name, job]]
      : values.map((value) => [`${name}: [${value}]`, { ...job, variables: { [variable]: value } }]);
  }

  async #runJob(name: string, job: Job): Promise<void> {
    const { event, variables, stored } = this.#context;
    const needed = [...this.jobs.values()].filter((run) =>
      job.needs?.some((need) => run.name.split(':')[0] === need.job),
    );
    const isMissing = job.needs?.some(
      (need) => need.optional !== true && !needed.some((run) => run.name.split(':')[0] === need.job),
    );
    if (isMissing === true || needed.some(({ code }) => code !== 0)) {
      return;
    }
    const temp = await this.#project.createFolder();
    const folder = join(temp, 'workspace');
    await mkdir(folder);
    const jobVariables = { ...variables, ...job.variables };
    const environment =
      job.environment?.name.replace('$ENVIRONMENT', jobVariables['ENVIRONMENT'] ?? '') ?? '';
    const env = {
      ...this.#project.createJobEnv(temp),
      ...jobVariables,
      ...this.#host.getScopedVariables(environment, event),
    };
    await this.#checkOut(folder, { ...env, SHA: event.sha });
    for (const { artifacts } of needed) {
      await cp(artifacts, folder, { recursive: true });
    }
    // All lines run in one script, so that the next lines have the variables of a line.
    const script = [...this.#host.pipeline.default.before_script, ...job.script].join('\n');
    const { code, log } = await runBash(script, { flags: ['-eo', 'pipefail'], cwd: folder, env });
    const artifacts = join(temp, 'artifacts');
    await mkdir(artifacts);
    if (job.artifacts.when === 'always' || code !== 0) {
      for (const path of job.artifacts.paths.filter((candidate) => existsSync(join(folder, candidate)))) {
        await cp(join(folder, path), join(artifacts, path), { recursive: true });
      }
    }
    this.jobs.set(name, { name, code, log, artifacts });
    stored.jobs.push({ id: this.#host.api.createId(), name, folder: artifacts });
  }

  async #checkOut(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
    const { code, log } = await runBash(
      'git init --quiet . && git remote add origin "$ORIGIN" && git fetch --quiet --depth=20 origin "$SHA" && git checkout --quiet --detach FETCH_HEAD',
      { flags: ['-e'], cwd: folder, env: { ...env, ORIGIN: this.#project.origin } },
    );
    if (code !== 0) {
      throw new Error(log);
    }
  }

  #finish(): Readonly<Record<string, number | null>> {
    const runs = [...this.jobs.values()];
    const waits = this.manualJobs.some((name) => !this.jobs.has(name));
    this.#context.stored.status = runs.some(({ code }) => code !== 0)
      ? 'failed'
      : waits
        ? 'manual'
        : 'success';
    return Object.fromEntries(runs.map(({ name, code }) => [name, code]));
  }
}
