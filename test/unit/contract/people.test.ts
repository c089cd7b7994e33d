import { describe, expect, test } from 'vitest';
import { isSessionCheckText, getSignInPage } from '../../../src/contract/people.ts';
import { readRecordedText } from '../../support/recorded.ts';
import { getFailure, createTestClient } from '../client/support.ts';

const check = async (body: string) => (await createTestClient({ body }).client.session.check()).value;

describe('the session check', () => {
  test.each([
    ['isauth-signed-in.json', true],
    ['isauth-not-signed-in.json', false],
    ['isauth-sso-not-signed-in.json', false],
  ])('%s is read correctly', async (name, signedIn) => {
    const session = await check(readRecordedText(name));
    expect(session.isauthenticated).toBe(signedIn);
    expect(session).toMatchObject(JSON.parse(readRecordedText(name)));
    expect(isSessionCheckText(readRecordedText(name))).toBe(true);
  });

  test.each(['isauthenticated', 'isAuthenticated', 'IsAuthenticated', 'ISAUTHENTICATED'])(
    'the field may be spelled %s',
    async (name) => {
      expect((await check(`{"${name}":true}`)).isauthenticated).toBe(true);
      expect((await check(`{"${name}":false}`)).isauthenticated).toBe(false);
    },
  );

  test.each([
    '{"isAuthenticated":"yes"}',
    '{"isAuthenticated":null}',
    '{"isAuthenticated":1}',
    '{"isauthenticated":true,"isAuthenticated":false}',
    '{"signedIn":true}',
    '{}',
  ])('%s is not a valid response', async (body) => {
    const { client } = createTestClient({ body });
    expect(await getFailure(client.session.check())).toMatchObject({
      name: 'SchemaError',
      code: 'answer-wrong-shape',
      path: ['isauthenticated'],
      expected: 'boolean',
    });
  });

  test('an instance with single sign-on returns the sign-in page', async () => {
    expect(getSignInPage(await check(readRecordedText('isauth-sso-not-signed-in.json')))).toBe(
      'http://login.url/',
    );
    expect(getSignInPage(await check(readRecordedText('isauth-not-signed-in.json')))).toBeUndefined();
    expect(
      getSignInPage(await check('{"isAuthenticated":false,"ssoEnabled":true,"loginUrl":7}')),
    ).toBeUndefined();
  });
});
