import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, startHttpServer } from '../../support/testServer.ts';
import { projectId } from './gitlabApi.ts';
import { type JobRun, type PipelineEvent, GitLabHost, readPipeline } from './gitlabHost.ts';
import { PipelineProject, environments } from './pipelineProject.ts';

const project = new PipelineProject({ '.gitlab-ci.yml': 'docs/ci/gitlab/gitlab-ci.yml' });
let server: TestServer;
let host: GitLabHost;

beforeAll(async () => {
  let handle: GitLabHost['api']['handle'] | undefined;
  server = await startHttpServer((request, response) => handle?.(request, response));
  host = new GitLabHost(project, server.url);
  handle = host.api.handle;
  for (const name of environments) {
    host.tokens.set(name, project.getToken(name)).set(`plan/${name}`, project.getToken(name));
  }
});
afterAll(() => server.close());

const getMain = (): string => {
  project.git('fetch', '--quiet', 'origin', 'main');
  return project.git('rev-parse', 'origin/main');
};

const forkId = 8;

/**
 * Pushes the branch of a merge request.
 * @param sourceProject the project with the branch
 * @param pipelineProject the project that runs the pipeline
 */
const pushMergeRequest = (
  sha: string,
  sourceProject = projectId,
  pipelineProject = sourceProject,
): PipelineEvent => {
  project.git('push', '--quiet', 'origin', 'HEAD');
  return {
    source: 'merge_request_event',
    sha,
    variables: {
      CI_MERGE_REQUEST_IID: '1',
      CI_MERGE_REQUEST_PROJECT_ID: String(projectId),
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(sourceProject),
      CI_PROJECT_ID: String(pipelineProject),
    },
  };
};

const getNote = (environment: string) =>
  host.api.notes.find(({ body }) => body.startsWith(`<!-- datamodel-studio plan ${environment} -->`));

const getLogs = (run: { readonly jobs: ReadonlyMap<string, JobRun> }): string =>
  [...run.jobs.values()].map(({ log }) => log).join('');

test('the pipeline takes a change from a merge request to production, and reports changes made without the project', async () => {
  // A change with a mistake, on the first day: prod has no token yet.
  project.git('checkout', '--quiet', '-b', 'change');
  host.tokens.delete('plan/prod');
  const broken = host.create(pushMergeRequest(await project.commitDescription('From the pipeline', true)));
  expect(await broken.run(), getLogs(broken)).toEqual({ 'plan: [prod]': 4, 'plan: [test]': 4, validate: 1 });
  const validated = await readFile(
    join(broken.jobs.get('validate')?.artifacts ?? '', 'reports/validate.xml'),
    'utf8',
  );
  expect(validated).toContain(
    '<testcase classname="datamodel-studio.validate" name="datamodels/Retail/tables/Orders.table.json"',
  );
  const notes = environments.map(getNote);
  expect(notes[0]?.body).toContain('### `plan --environment test` was refused\n');
  expect(notes[0]?.body).toContain('The files to be applied have 1 error. Nothing was written.');
  expect(notes[1]?.body).toMatch(
    /### `plan --environment prod` was refused\n\n`.*--token-env isn't set.*`\n/,
  );
  host.tokens.set('plan/prod', project.getToken('prod'));

  // The mistake is fixed: the same comments show the plans.
  const sha = await project.commitDescription('From the pipeline');
  const planned = host.create(pushMergeRequest(sha));
  expect(await planned.run(), getLogs(planned)).toEqual({
    'plan: [prod]': 0,
    'plan: [test]': 0,
    validate: 0,
  });
  expect(environments.map(getNote)).toEqual(notes);
  expect(host.api.notes).toHaveLength(5);
  for (const environment of environments) {
    expect(getNote(environment)?.body).toContain(`### Plan for \`${environment}\``);
    expect(getNote(environment)?.body).toContain('0 to create, 2 to change, 0 to delete.');
  }

  // The merge applies the plan to test. prod waits for a person.
  project.git('push', '--quiet', 'origin', `${sha}:refs/heads/main`);
  host.api.mergeRequests.push({ iid: 1, state: 'merged', commits: [sha] });
  const merged = host.create({ source: 'push', sha });
  expect(await merged.run(), getLogs(merged)).toEqual({ 'apply-test': 0, validate: 0 });
  expect(merged.manualJobs).toEqual(['apply-prod']);
  expect(await project.readDescription('test')).toBe('From the pipeline');
  expect(await project.readDescription('prod')).not.toBe('From the pipeline');
  const unconfirmed = await merged.play('apply-prod', { CONFIRM: '' });
  expect(unconfirmed.log).toContain('To write to it, add --confirm prod.');
  expect(unconfirmed.code).toBe(4);
  expect(await project.readDescription('prod')).not.toBe('From the pipeline');
  const confirmed = await merged.play('apply-prod');
  expect(confirmed.code, confirmed.log).toBe(0);
  expect(await project.readDescription('prod')).toBe('From the pipeline');
  getMain();
  expect(project.git('log', '-2', '--format=%an: %s', 'origin/main').split('\n')).toEqual([
    'Datamodel Studio: Record what was applied to prod',
    'Datamodel Studio: Record what was applied to test',
  ]);

  // Nothing differs, until somebody changes the instance test without the project.
  await project.setDescription('test', 'Changed by hand');
  const drifted = host.create({ source: 'schedule', sha: getMain() });
  expect(await drifted.run()).toEqual({ 'drift: [prod]': 0, 'drift: [test]': 2 });
  const drift = drifted.jobs.get('drift: [test]');
  const report = await readFile(join(drift?.artifacts ?? '', 'reports/drift.xml'), 'utf8');
  expect(report).toContain('<testcase classname="drift.test" name="table/Retail/Orders"');
  expect(report).toContain('Changed by hand');
  expect(drift?.log).toContain('1 item differs.');

  // The plan of the merge request is out of date now. A pipeline that is run manually has a new one.
  const lateApply = host.create({ source: 'push', sha });
  expect(await lateApply.run()).toEqual({ 'apply-test': 4, validate: 0 });
  expect(getLogs(lateApply)).toContain('The plan is out of date');
  expect(getLogs(lateApply)).toContain(
    'Nothing was written. If the plan is out of date, run a pipeline manually',
  );
  const byHand = host.create({ source: 'web', sha: getMain() });
  expect(await byHand.run(), getLogs(byHand)).toEqual({ 'plan: [prod]': 0, 'plan: [test]': 0, validate: 0 });
  expect(byHand.jobs.get('plan: [prod]')?.log).toContain(
    'Nothing to change: the instance matches the project.',
  );
  expect(byHand.manualJobs).toEqual(['apply-test', 'apply-prod']);
  await expect(byHand.play('apply-prod')).rejects.toThrow('needs a job that has not succeeded');
  const repeatedApply = await byHand.play('apply-test');
  expect(repeatedApply.code, repeatedApply.log).toBe(0);
  expect(await project.readDescription('test')).toBe('From the pipeline');
});

test('a push without a merge request, and a merge without a successful plan, are not applied', async () => {
  const run = async (sha: string): Promise<string> => {
    const pipeline = host.create({ source: 'push', sha });
    await pipeline.run();
    const { code, log } = pipeline.jobs.get('apply-test') ?? {};
    expect(code, log).toBe(4);
    return log ?? '';
  };
  project.git('checkout', '--quiet', '-B', 'other', 'origin/main');
  const sha = await project.commitDescription('Pushed');
  project.git('push', '--quiet', 'origin', 'HEAD');
  expect(await run(sha)).toContain('was pushed without a merge request');
  host.api.mergeRequests.push({ iid: 2, state: 'merged', commits: [sha] });
  for (const fields of [{ status: 'failed' as const }, { project_id: forkId }]) {
    host.api.pipelines.push({
      id: host.api.createId(),
      project_id: projectId,
      source: 'merge_request_event',
      mergeRequest: 2,
      status: 'success',
      jobs: [],
      ...fields,
    });
  }
  expect(await run(sha)).toContain('The newest pipeline of the merge request has not succeeded.');
});

test('a merge request from a fork is only validated, in the fork, and runs nothing in the project', async () => {
  const main = getMain();
  expect(() => host.create(pushMergeRequest(main, forkId, projectId))).toThrow('No pipeline runs');
  const codes = await host.create(pushMergeRequest(main, forkId)).run();
  expect(Object.keys(codes)).toEqual(['validate']);
});

test('only jobs that need tokens have an environment, which provides them', () => {
  const { jobs } = readPipeline();
  const withTokens = Object.entries(jobs).filter(([, job]) => /_TOKEN\b/.test(JSON.stringify(job.script)));
  const withEnvironment = Object.entries(jobs).filter(([, { environment }]) => environment !== undefined);
  expect(withTokens.map(([name]) => name)).toEqual(['plan', 'apply-test', 'apply-prod', 'drift']);
  expect(withEnvironment).toEqual(withTokens);
});

test('applies to an instance wait for each other, and only they count as deployments', () => {
  const { jobs, stages } = readPipeline();
  for (const name of environments) {
    const job = jobs[`apply-${name}`];
    expect(job).toMatchObject({ resource_group: `apply-${name}`, environment: { name } });
    expect(job?.environment).not.toHaveProperty('action');
    expect(job).not.toHaveProperty('interruptible');
  }
  for (const name of ['plan', 'drift']) {
    expect(jobs[name]?.environment).toEqual({ name: 'plan/$ENVIRONMENT', action: 'access' });
  }
  expect(new Set(Object.values(jobs).map(({ stage }) => stage))).toEqual(new Set(stages));
});
