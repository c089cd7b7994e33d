import { beforeAll, expect, test } from 'vitest';
import {
  type JobRun,
  type WorkflowEvent,
  type Workflow,
  GitHubHost,
  getSecrets,
  readWorkflow,
  readWorkflowText,
} from './githubHost.ts';
import { findWorkflowErrors } from './workflowSchema.ts';
import { repositoryName } from './githubApi.ts';
import { PipelineProject, environments } from './pipelineProject.ts';

const names = ['plan.yml', 'apply.yml', 'drift.yml'] as const;
const project = new PipelineProject(
  Object.fromEntries(names.map((name) => [`.github/workflows/${name}`, `docs/ci/github/${name}`])),
);
const [planWorkflow, applyWorkflow, driftWorkflow] = names.map(readWorkflow) as [
  ReturnType<typeof readWorkflow>,
  ReturnType<typeof readWorkflow>,
  ReturnType<typeof readWorkflow>,
];
const host = new GitHubHost(project);

beforeAll(() => {
  for (const [name, secrets] of environments.flatMap((environment) => getSecrets(project, environment))) {
    host.secrets.set(name, secrets);
  }
});

/** Returns a workflow with one of its jobs only, which takes less time. */
const selectJob = (workflow: Workflow, id: string): Workflow => ({
  ...workflow,
  jobs: Object.fromEntries(Object.entries(workflow.jobs).filter(([jobId]) => jobId === id)),
});

const planOnly = selectJob(planWorkflow, 'plan');

const mainEvent = (
  name: WorkflowEvent['name'],
  inputs?: Readonly<Record<string, string>>,
): WorkflowEvent => ({
  name,
  ref: 'refs/heads/main',
  sha: project.git('rev-parse', 'origin/main'),
  ...(inputs === undefined ? {} : { inputs }),
});

/** Pushes the branch of a pull request, and its merge into main, as GitHub does. */
function pushPullRequest(number: number, branch: string): WorkflowEvent {
  const headSha = project.git('rev-parse', branch);
  project.git('fetch', '--quiet', 'origin', 'main');
  project.git('checkout', '--quiet', '--detach', 'origin/main');
  project.git('merge', '--quiet', '--no-ff', '--message', `Merge ${number}`, branch);
  project.git('push', '--quiet', '--force', 'origin', `HEAD:refs/pull/${number}/merge`, branch);
  const sha = project.git('rev-parse', 'HEAD');
  project.git('checkout', '--quiet', branch);
  return {
    name: 'pull_request',
    ref: `refs/pull/${number}/merge`,
    sha,
    headSha,
    payload: {
      pull_request: { number, head: { sha: headSha, repo: { full_name: repositoryName, fork: false } } },
    },
  };
}

/** Merges a pull request into main. */
function mergePullRequest({ sha, headSha = '', ref }: WorkflowEvent): WorkflowEvent {
  project.git('push', '--quiet', 'origin', `${sha}:refs/heads/main`);
  const number = Number(ref.split('/')[2]);
  host.api.mergedPullRequests.push({ number, headSha, mergeSha: sha });
  project.git('fetch', '--quiet', 'origin', 'main');
  return mainEvent('push');
}

const summarize = (jobs: readonly JobRun[]): readonly string[] =>
  jobs.map(
    ({ id, environment, conclusion }) => `${[id, environment].filter(Boolean).join(' ')}: ${conclusion}`,
  );

const getLog = (jobs: readonly JobRun[]): string => jobs.map(({ log }) => log).join('');

const getPlanComment = (environment: string) =>
  host.api.comments.find(({ body }) => body.startsWith(`<!-- datamodel-studio plan ${environment} -->`));

test.each(names)('GitHub accepts %s', async (name) => {
  expect(await findWorkflowErrors(name, readWorkflowText(name))).toEqual([]);
  expect(await findWorkflowErrors(name, readWorkflowText(name).replace('runs-on:', 'run-on:'))).not.toEqual(
    [],
  );
});

test('the workflows take a change from a pull request to production, and report changes made without the project', async () => {
  // A change with a mistake, on the first day: prod has no token yet.
  project.git('checkout', '--quiet', '-b', 'change');
  await project.commitDescription('From the pipeline', true);
  const prodSecrets = host.secrets.get('plan-prod') ?? {};
  host.secrets.delete('plan-prod');
  const broken = await host.run(planWorkflow, pushPullRequest(1, 'change'));
  expect(summarize(broken.jobs)).toEqual([
    'validate: failure',
    'plan plan-test: failure',
    'plan plan-prod: failure',
  ]);
  expect(getLog(broken.jobs)).toMatch(/::error file=datamodels\/Retail\/tables\/Orders\.table\.json,line=1,/);
  expect(host.uploadedSarif.at(-1)).toContain('Orders.table.json');
  const [test, prod] = environments.map(getPlanComment);
  expect(test?.body).toContain('### `plan --environment test` was refused\n');
  expect(test?.body).toContain('The files to be applied have 1 error. Nothing was written.');
  expect(prod?.body).toMatch(/### `plan --environment prod` was refused\n\n`.*no API token.*`\n/);
  expect(prod?.body).toContain(
    `[log](https://github.example.com/${repositoryName}/actions/runs/${broken.run.id})`,
  );
  host.secrets.set('plan-prod', prodSecrets);

  // The mistake is fixed: the same comments show the plans.
  await project.commitDescription('From the pipeline');
  const pullRequest = pushPullRequest(1, 'change');
  const planned = await host.run(planWorkflow, pullRequest);
  expect(summarize(planned.jobs), getLog(planned.jobs)).toEqual([
    'validate: success',
    'plan plan-test: success',
    'plan plan-prod: success',
  ]);
  expect(environments.map(getPlanComment)).toEqual([test, prod]);
  expect(host.api.comments).toHaveLength(3);
  for (const environment of environments) {
    expect(getPlanComment(environment)?.body).toContain(`### Plan for \`${environment}\``);
    expect(getPlanComment(environment)?.body).toContain('0 to create, 2 to change, 0 to delete.');
    expect(await host.listArtifact(planned.run, `plan-${environment}`)).toEqual([
      `${environment}.md`,
      `${environment}.plan.json`,
    ]);
  }
  expect(await project.readDescription('test')).not.toBe('From the pipeline');

  // The merge applies the plan to test, and to prod after the approval.
  let approvalCount = 0;
  host.onApproval = async () => {
    approvalCount += 1;
    expect(await project.readDescription('test')).toBe('From the pipeline');
    expect(await project.readDescription('prod')).not.toBe('From the pipeline');
    return true;
  };
  const applied = await host.run(applyWorkflow, mergePullRequest(pullRequest));
  expect(summarize(applied.jobs), getLog(applied.jobs)).toEqual([
    'find: success',
    'test test: success',
    'prod prod: success',
  ]);
  expect(approvalCount).toBe(1);
  expect(await project.readDescription('prod')).toBe('From the pipeline');
  expect(project.git('log', '-3', '--format=%an: %s', 'origin/main').split('\n').slice(0, 1)).toEqual([
    'Dev: Merge 1',
  ]);
  project.git('fetch', '--quiet', 'origin', 'main');
  expect(project.git('log', '-2', '--format=%an: %s', 'origin/main').split('\n')).toEqual([
    'github-actions[bot]: Record what was applied to prod',
    'github-actions[bot]: Record what was applied to test',
  ]);

  // The second plan has nothing to do.
  const secondPlan = await host.run(planOnly, mainEvent('workflow_dispatch'));
  expect(secondPlan.run.conclusion).toBe('success');
  expect(
    getLog(secondPlan.jobs).match(/Nothing to change: the instance matches the project\./g),
  ).toHaveLength(2);

  // Somebody changes the instance test without the project, after another change was planned.
  project.git('checkout', '--quiet', '-b', 'next', 'origin/main');
  await project.commitDescription('The next one');
  const next = pushPullRequest(2, 'next');
  expect((await host.run(planOnly, next)).run.conclusion).toBe('success');
  await project.setDescription('test', 'Changed by hand');
  const drifted = await host.run(driftWorkflow, mainEvent('schedule'));
  expect(summarize(drifted.jobs)).toEqual(['drift plan-test: success', 'drift plan-prod: success']);
  expect(host.api.issues).toEqual([
    expect.objectContaining({
      title: 'Drift of test',
      state: 'open',
      body: expect.stringContaining('Changed by hand'),
    }),
  ]);

  // The reviewed plan is out of date now, so nothing is written.
  const outdatedApply = await host.run(applyWorkflow, mergePullRequest(next));
  expect(summarize(outdatedApply.jobs)).toEqual([
    'find: success',
    'test test: failure',
    'prod prod: skipped',
  ]);
  expect(getLog(outdatedApply.jobs)).toContain('The plan is out of date');
  expect(getLog(outdatedApply.jobs)).toContain('::error::Nothing was written.');
  expect(await project.readDescription('test')).toBe('Changed by hand');

  // A new plan of main is read, and applied by hand.
  const newPlan = await host.run(planOnly, mainEvent('workflow_dispatch'));
  expect(newPlan.run.conclusion).toBe('success');
  host.onApproval = async () => true;
  const manualApplyEvent = mainEvent('workflow_dispatch', {
    'plan-run': String(newPlan.run.id),
    confirm: 'production',
  });

  // The first try stops at the second write. A developer finishes it with the journal.
  await project.refuseSecondWrite('test', true);
  const stoppedApply = await host.run(applyWorkflow, manualApplyEvent);
  await project.refuseSecondWrite('test', false);
  expect(summarize(stoppedApply.jobs)).toEqual(['find: success', 'test test: failure', 'prod prod: skipped']);
  expect(getLog(stoppedApply.jobs)).toContain('::error::The apply has stopped.');
  expect(await host.listArtifact(stoppedApply.run, 'lock-test')).toEqual(['test.lock.json']);
  const state = ['--state', host.getArtifact(stoppedApply.run, 'journal-test')];
  const { stdout } = await project.runCli('test', 'resume', ...state);
  const [, id = ''] =
    /^(\S+) {2}\S+ {2}apply of \S*workspace to test: 1 of 2 steps done\n$/.exec(stdout) ?? [];
  const resumed = await project.runCli('test', 'resume', id, '--execute', ...state);
  expect(resumed.code, resumed.stderr).toBe(0);

  // The same plan has nothing left to do in test. Production refuses a wrong confirmation.
  const manualApply = await host.run(applyWorkflow, manualApplyEvent);
  expect(summarize(manualApply.jobs)).toEqual(['find: success', 'test test: success', 'prod prod: failure']);
  expect(getLog(manualApply.jobs)).toContain('To write to it, add --confirm prod.');
  expect(await project.readDescription('test')).toBe('The next one');
  expect(await project.readDescription('prod')).toBe('From the pipeline');
  const secondDrift = await host.run(driftWorkflow, mainEvent('schedule'));
  expect(summarize(secondDrift.jobs)).toEqual(['drift plan-test: success', 'drift plan-prod: success']);
  expect(host.api.issues.map(({ title, state }) => `${title}: ${state}`)).toEqual([
    'Drift of test: closed',
    'Drift of prod: open',
  ]);

  // The test has run every step, and no job has more permissions than it needs.
  const workflows = [planWorkflow, applyWorkflow, driftWorkflow];
  const allSteps = workflows.flatMap(({ path, jobs }) =>
    Object.entries(jobs).flatMap(([jobId, { steps }]) =>
      steps.map(({ name, uses, id }) => `${path} ${jobId}: ${name ?? uses ?? id ?? ''}`),
    ),
  );
  expect(allSteps.filter((step) => !host.ranSteps.has(step))).toEqual([]);
  for (const { path, permissions, jobs } of workflows) {
    expect(permissions).toEqual({});
    for (const [jobId, job] of Object.entries(jobs)) {
      expect({ [jobId]: job.permissions }).toEqual({ [jobId]: host.usedPermissions.get(`${path} ${jobId}`) });
    }
  }
});

test('a push without a pull request, a failed plan, and a plan of a fork are not applied', async () => {
  const findOnly = selectJob(applyWorkflow, 'find');
  const pushed = await host.run(findOnly, { name: 'push', ref: 'refs/heads/main', sha: '0'.repeat(40) });
  expect(getLog(pushed.jobs)).toContain('was pushed without a pull request');
  const addRun = (fields: object) => {
    const run = {
      id: host.api.createId(),
      path: planWorkflow.path,
      event: 'pull_request',
      head_sha: 'f'.repeat(40),
      head_repository: { full_name: repositoryName },
      conclusion: 'success' as const,
      ...fields,
    };
    host.api.runs.push(run);
    return run;
  };
  const find = (run: { readonly id: number }) =>
    host.run(findOnly, {
      name: 'workflow_dispatch',
      ref: 'refs/heads/main',
      sha: '0'.repeat(40),
      inputs: { 'plan-run': String(run.id) },
    });
  const successfulRun = addRun({});
  expect((await find(successfulRun)).jobs[0]?.outputs).toEqual({ run: String(successfulRun.id) });
  for (const fields of [
    { conclusion: 'failure' },
    { head_repository: { full_name: 'fork/analytics' } },
    { path: '.github/workflows/other.yml' },
  ]) {
    const { jobs } = await find(addRun(fields));
    expect(getLog(jobs), JSON.stringify(fields)).toContain('There is no successful plan.');
  }
  host.api.mergedPullRequests.push({ number: 3, headSha: 'a'.repeat(40), mergeSha: 'b'.repeat(40) });
  addRun({ head_sha: 'a'.repeat(40), head_repository: { full_name: 'fork/analytics' } });
  const merged = await host.run(findOnly, { name: 'push', ref: 'refs/heads/main', sha: 'b'.repeat(40) });
  expect(getLog(merged.jobs)).toContain('There is no successful plan.');
});

test('a pull request from a fork is not planned, since it gets no secrets', async () => {
  const event = { ...mainEvent('pull_request'), ref: 'refs/pull/9/merge' };
  const { jobs } = await host.run(planOnly, {
    ...event,
    payload: {
      pull_request: {
        number: 9,
        head: { sha: event.sha, repo: { full_name: 'fork/analytics', fork: true } },
      },
    },
  });
  expect(summarize(jobs)).toEqual(['plan plan-test: skipped', 'plan plan-prod: skipped']);
  expect(planWorkflow.jobs['validate']).not.toHaveProperty('environment');
});

test('two applies to one instance wait for each other, and only scripts that need secrets get them', () => {
  for (const name of environments) {
    const job = applyWorkflow.jobs[name];
    expect(job?.concurrency).toEqual({ group: `apply-${name}`, 'cancel-in-progress': false, queue: 'max' });
    expect(job?.environment).toBe(name);
  }
  const steps = [planWorkflow, applyWorkflow, driftWorkflow].flatMap(({ jobs }) =>
    Object.values(jobs).flatMap((job) => job.steps),
  );
  const withSecrets = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
  expect(withSecrets.map(({ name }) => name)).toEqual(['Plan', 'Apply', 'Apply', 'Drift']);
  expect(steps.filter(({ uses }) => uses !== undefined && !/^[\w-]+\/[\w/-]+@v\d+$/.test(uses))).toEqual([]);
});
