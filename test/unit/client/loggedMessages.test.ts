import { describe, expect, test } from 'vitest';
import { createApiRequestInfo } from '../../../src/client/apiError.ts';
import * as errors from '../../../src/client/errors.ts';
import { SandboxCheckError } from '../../../src/client/sandboxClient.ts';
import { describeWriteFailure } from '../../../src/changes/run/describeFailure.ts';
import { expectInstance } from '../../support/expectations.ts';
import { createTestClient, getFailure, json } from './support.ts';

const data = 'Ms. Smith';
const requestInfo = createApiRequestInfo('liveRules.create', '/api/v1/elasticubes/live/{title}/datasecurity');
const httpError = new errors.HttpError(requestInfo, { status: 400, serverMessage: data });
const cause = new Error(data);

/** An error of each class, with the server's text wherever the class takes it. */
const examples: Readonly<Record<string, Error>> = {
  HttpError: httpError,
  AbsentError: new errors.AbsentError(requestInfo, 200),
  NetworkError: new errors.NetworkError(requestInfo, 'reset', { mayHaveBeenSent: true, cause }),
  TimeoutError: new errors.TimeoutError(requestInfo, { phase: 'body', mayHaveBeenSent: true, cause }),
  SchemaError: new errors.SchemaError(requestInfo, { status: 200, problem: 'html', serverMessage: data }),
  PartialResponseError: new errors.PartialResponseError(requestInfo, {
    readable: {
      value: [],
      unreadable: [{ path: [0], item: data, faultPath: ['title'], expected: 'string' }],
    },
    response: { value: undefined, text: data, json: data, status: 200 },
  }),
  TooLargeError: new errors.TooLargeError(requestInfo, 10),
  RedirectError: new errors.RedirectError(requestInfo, { status: 302, reason: 'write' }),
  ReadOnlyError: new errors.ReadOnlyError(requestInfo, 'locked'),
  CanceledError: new errors.CanceledError(requestInfo, { mayHaveBeenSent: true, cause }),
  ClientClosedReason: new errors.ClientClosedReason('closed'),
  ConnectionClosedError: new errors.ConnectionClosedError(requestInfo, { mayHaveBeenSent: true, cause }),
  SignedOutError: new errors.SignedOutError(requestInfo, 'bad-token', { cause }),
  AddressError: new errors.AddressError(requestInfo, 'title'),
  PayloadError: new errors.PayloadError('wrong-type', ['shares', 0]),
  InvalidRequestError: new errors.InvalidRequestError(requestInfo, new errors.PayloadError('wrong-type')),
  RuleTooLargeError: new errors.RuleTooLargeError(httpError),
  PartlyCreatedError: new errors.PartlyCreatedError({
    failure: httpError,
    writtenCount: 1,
    failedCount: 2,
    writtenRules: undefined,
  }),
  SandboxCheckError: new SandboxCheckError(data, { cause }),
};

const isErrorClass = (value: unknown): value is { readonly name: string } =>
  typeof value === 'function' && value.prototype instanceof Error;

test('each error class of the client has an example', () => {
  const classNames = Object.values(errors)
    .filter(isErrorClass)
    .map(({ name }) => name)
    // The abstract base class of most other errors.
    .filter((name) => name !== 'ApiError');
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(classNames));
});

test.each(Object.entries(examples))('%s is logged without any text of the server', (_name, error) => {
  expect(String(error)).not.toContain(data);
});

describe.each([
  ['detail', { title: 'Bad Request', detail: `No user ${data}`, status: 400, sub: 7 }],
  ['reason', { reason: `No user ${data}` }],
  ['error.message', { error: { code: 1, message: `No user ${data}`, status: 400, httpMessage: 'Bad' } }],
  ['error', { error: `No user ${data}` }],
  ['message', { message: `No user ${data}` }],
  ['title', { title: `No user ${data}` }],
])('a message in "%s"', (_field, body) => {
  test('is for the user and the history, and is not in the text that is logged', async () => {
    const { client, log } = createTestClient(json(body, 400));
    const error = expectInstance(await getFailure(client.builds.list()), errors.HttpError);
    expect(error.serverMessage).toBe(`No user ${data}`);
    expect(describeWriteFailure(error)).toBe(`${error.message}: No user ${data}`);
    expect(`${String(error)}${log.text}`).not.toContain(data);
  });
});

test('a refused cancellation of a build is logged without the message in the response', async () => {
  const { client } = createTestClient(json({ statusCode: 409, error: data }));
  const error = await getFailure(client.builds.cancel({ buildId: 'b1' }));
  expect(String(error)).not.toContain(data);
  expect(describeWriteFailure(error)).toContain(data);
});
