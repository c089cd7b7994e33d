import { describe, expect, test } from 'vitest';
import { describeError } from '../../../src/client/describeError.ts';
import { HttpError, getPlatformCode } from '../../../src/client/errors.ts';
import { getRuleRefusal } from '../../../src/client/httpError.ts';
import { getFailure, json, makeClient, token } from './support.ts';

const live = { title: 'Sales' };
const ask = (body: unknown, status = 400) => {
  const { client } = makeClient(json(body, status));
  return getFailure(client.liveRules.list(live));
};

describe("the platform's error codes for rules", () => {
  test.each([
    [30001, 'invalid-default-rule'],
    [30003, 'duplicate-party'],
    [30004, 'unknown-party'],
    [30006, 'default-rule-first'],
    [30002, undefined],
  ])('the code %i is %s', async (code, refusal) => {
    const error = await ask({ error: { code, message: 'words', status: 400, httpMessage: 'Bad Request' } });
    expect(getRuleRefusal(error)).toBe(refusal);
    expect(getPlatformCode(error)).toBe(code);
    expect(getPlatformCode(new Error('outer', { cause: error }))).toBe(code);
  });

  test.each([
    [{ error: { message: '[object Object]' } }, 500],
    [{ status: 'error', error: 'Elasticube has not been found' }, 404],
  ])('%j means that the datamodel has to be built first', async (body, status) => {
    expect(getRuleRefusal(await ask(body, status))).toBe('needs-build');
  });

  test('the same text from another request does not mean that', async () => {
    const { client } = makeClient(json({ error: { code: 30003, message: '[object Object]' } }, 400));
    expect(getRuleRefusal(await getFailure(client.builds.list()))).toBeUndefined();
  });

  test('an error without a body has no code, and a circular cause terminates', async () => {
    const { client } = makeClient({ status: 400 });
    expect(getPlatformCode(await getFailure(client.liveRules.list(live)))).toBeUndefined();
    const circular = new Error('x');
    circular.cause = circular;
    expect(getPlatformCode(circular)).toBeUndefined();
    expect(getPlatformCode('text')).toBeUndefined();
  });
});

test('sub and logref appear in the message and the description, without the token', async () => {
  const error = await ask({ detail: 'Wrong', sub: 1011, logref: `log-${token}` });
  expect(error.message).toContain('answered 400: Wrong [sub 1011, logref log-•••]');
  expect(describeError(error).args).toMatchObject({
    platformCode: 1011,
    sub: '1011',
    logref: 'log-•••',
    words: 'Wrong',
  });
});

describe('deleting one extract rule', () => {
  const deleting = async (status: number, body: string) => {
    const { client, transport } = makeClient({ status, body });
    const error = await getFailure(client.extractRules.delete({ ruleId: 'r1' }));
    expect(error).toBeInstanceOf(HttpError);
    // Deleting the whole column is never the workaround.
    expect(transport.lines).toEqual(['DELETE /api/elasticubes/datasecurity/r1']);
    return error as HttpError;
  };

  test.each([
    [404, ''],
    [404, '<html>Cannot DELETE /api/elasticubes/datasecurity/r1</html>'],
    [404, '{"error":"Not Found"}'],
    [405, ''],
    [405, '{"error":{"message":"no such operation"}}'],
  ])('%i %s: the server does not support it', async (status, body) => {
    const error = await deleting(status, body);
    expect(error).toMatchObject({ code: 'not-offered', remedy: 'check-version', isNotFound: false });
  });

  test("404 with the platform's own error: the rule is gone", async () => {
    const error = await deleting(404, '{"error":{"code":404,"message":"Data context not found"}}');
    expect(error).toMatchObject({ code: 'not-found', isNotFound: true });
  });

  test('a live rule is deleted by an operation that every server supports', async () => {
    const { client } = makeClient({ status: 404 });
    expect(await getFailure(client.liveRules.delete({ ruleId: 'r1' }))).toMatchObject({ code: 'not-found' });
  });
});
