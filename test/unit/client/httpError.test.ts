import { describe, expect, test } from 'vitest';
import { HttpError, getPlatformCode } from '../../../src/client/errors.ts';
import { getRuleRefusal } from '../../../src/client/httpError.ts';
import { getFailure, json, createTestClient, token } from './support.ts';
import { expectInstance } from '../../support/expectations.ts';

const datamodelParams = { title: 'Sales' };
const getListError = (body: unknown, status = 400) => {
  const { client } = createTestClient(json(body, status));
  return getFailure(client.liveRules.list(datamodelParams));
};

describe("the platform's error codes for rules", () => {
  test.each([
    [30001, 'invalid-default-rule'],
    [30003, 'duplicate-party'],
    [30004, 'unknown-party'],
    [30006, 'default-rule-first'],
    [30002, undefined],
  ])('the code %i means %s', async (code, refusal) => {
    const error = await getListError({
      error: { code, message: 'text', status: 400, httpMessage: 'Bad Request' },
    });
    expect(getRuleRefusal(error)).toBe(refusal);
    expect(getPlatformCode(error)).toBe(code);
    expect(getPlatformCode(new Error('outer', { cause: error }))).toBe(code);
  });

  test.each([
    [{ error: { message: '[object Object]' } }, 500],
    [{ status: 'error', error: 'Elasticube has not been found' }, 404],
  ])('%j means that the datamodel has to be built first', async (body, status) => {
    expect(getRuleRefusal(await getListError(body, status))).toBe('needs-build');
  });

  test('a request that does not concern rules never has a rule refusal', async () => {
    const { client } = createTestClient(json({ error: { code: 30003, message: '[object Object]' } }, 400));
    expect(getRuleRefusal(await getFailure(client.builds.list()))).toBeUndefined();
  });

  test('an error without a body has no platform code, and a circular cause ends the search', async () => {
    const { client } = createTestClient({ status: 400 });
    expect(getPlatformCode(await getFailure(client.liveRules.list(datamodelParams)))).toBeUndefined();
    const circular = new Error('x');
    circular.cause = circular;
    expect(getPlatformCode(circular)).toBeUndefined();
    expect(getPlatformCode('text')).toBeUndefined();
  });
});

test("sub and logref appear in the message, without the token, but not the server's message", async () => {
  const error = await getListError({ detail: 'Wrong', sub: 1011, logref: `log-${token}` });
  expect(error.message).toMatch(/ answered 400 \[sub 1011, logref log-•••\]$/);
  expect(error).toMatchObject({
    platformCode: 1011,
    sub: '1011',
    logref: 'log-•••',
    serverMessage: 'Wrong',
  });
});

describe('deleting one extract rule', () => {
  const deleteRule = async (status: number, body: string) => {
    const { client, transport } = createTestClient({ status, body });
    const error = await getFailure(client.extractRules.delete({ ruleId: 'r1' }));
    // Deleting the whole column is never the workaround.
    expect(transport.requestLines).toEqual(['DELETE /api/elasticubes/datasecurity/r1']);
    return expectInstance(error, HttpError);
  };

  test.each([
    [404, ''],
    [404, '<html>Cannot DELETE /api/elasticubes/datasecurity/r1</html>'],
    [404, '{"error":"Not Found"}'],
    [405, ''],
    [405, '{"error":{"message":"no such operation"}}'],
  ])('%i with the body "%s" means that the server does not support it', async (status, body) => {
    const error = await deleteRule(status, body);
    expect(error).toMatchObject({ code: 'not-offered', remedy: 'check-version', isNotFound: false });
  });

  test("404 with the platform's own error means that the rule does not exist", async () => {
    const error = await deleteRule(404, '{"error":{"code":404,"message":"Data context not found"}}');
    expect(error).toMatchObject({ code: 'not-found', isNotFound: true });
  });

  test('a live rule is deleted through an endpoint that every server supports', async () => {
    const { client } = createTestClient({ status: 404 });
    expect(await getFailure(client.liveRules.delete({ ruleId: 'r1' }))).toMatchObject({ code: 'not-found' });
  });
});
