import { expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/command.ts';
import { createBuildRequest, formatBuildRequest, readBuildOptions } from '../../../src/cli/buildOptions.ts';
import { getBuildExitCode } from '../../../src/cli/buildResult.ts';
import { formatJUnit } from '../../../src/cli/junit.ts';
import { createBuildOfTask } from '../../../src/builds/build.ts';

const read = (values: Readonly<Record<string, string>>) =>
  readBuildOptions({
    positionals: [],
    getValue: (name) => values[name],
    has: (name) => name in values,
  } satisfies Arguments);

const extract = { oid: 'e', title: 'Retail', type: 'extract' } as const;
const live = { oid: 'l', title: 'Marketing', type: 'live' } as const;

test('an extract datamodel is built in full by default, and a live one is published', () => {
  expect(createBuildRequest(extract, read({}), 'c')).toEqual({
    connectionId: 'c',
    datamodelId: 'e',
    datamodelTitle: 'Retail',
    buildType: 'full',
  });
  expect(createBuildRequest(live, read({}), 'c')).toMatchObject({ buildType: 'publish' });
  const sampleRequest = createBuildRequest(
    extract,
    read({ 'row-limit': '10', 'schema-origin': 'running' }),
    'c',
  );
  expect(formatBuildRequest(sampleRequest)).toBe(
    'full build, schema running, at most 10 rows from each source',
  );
});

test('options that do not fit the datamodel are refused', () => {
  expect(() => createBuildRequest(extract, read({ type: 'publish' }), 'c')).toThrow("can't be published");
  expect(() => createBuildRequest(live, read({ type: 'full' }), 'c')).toThrow('--type publish');
  expect(() => createBuildRequest(live, read({ 'row-limit': '1' }), 'c')).toThrow('extract datamodels only');
});

test.each(['0', '-1', '1.5', 'x', '1e3', '99999999999999999999'])(
  '%s is not a valid number of rows',
  (text) => {
    expect(() => read({ 'row-limit': text })).toThrow('--row-limit');
  },
);

test('a timeout has a unit', () => {
  expect(['90s', '30m', '2h'].map((timeout) => read({ timeout }).timeoutMs)).toEqual([
    90_000, 1_800_000, 7_200_000,
  ]);
  for (const timeout of ['90', '0s', 'm', '1d', '-1s', '1 m']) {
    expect(() => read({ timeout })).toThrow('--timeout');
  }
});

test('each result of a build has its own exit code, which scripts depend on', () => {
  const build = createBuildOfTask('c', 'b', 1);
  expect(
    (
      [
        { state: 'not-started', hint: '', blockingChange: undefined },
        { state: 'started', build },
        { state: 'done', build },
        { state: 'failed', build },
        { state: 'failed' },
        { state: 'cancelled', build },
        { state: 'unknown', reason: 'gone', build },
        { state: 'unknown', reason: 'no-answer' },
      ] as const
    ).map(getBuildExitCode),
  ).toEqual([0, 0, 0, 1, 1, 2, 3, 3]);
});

test('a JUnit report is well-formed XML, whatever text a server returns', () => {
  const text = formatJUnit('build', [
    {
      className: 'c',
      name: 'a "b" <c>\n',
      problem: { kind: 'failure', type: 'failed', message: '\u0000 ]]> & \ud800' },
    },
  ]);
  expect(text).toContain('name="a &quot;b&quot; &lt;c&gt;&#10;"');
  expect(text).toContain('<failure type="failed" message="\ufffd ]]&gt; &amp; \ufffd">');
  expect(text).toContain('failures="1"');
});
