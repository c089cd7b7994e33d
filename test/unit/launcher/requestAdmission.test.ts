import { expect, it, test } from 'vitest';
import type { AdmissionRequest } from '../../../src/launcher/requestAdmission.ts';
import { getAdmissionRefusal } from '../../../src/launcher/requestAdmission.ts';
import { AllowedAddresses } from '../../../src/launcher/allowedAddresses.ts';

const rules = { addresses: new AllowedAddresses(8080), token: 'secret', basePath: '/base/' };
const pageRequest: AdmissionRequest = {
  target: '/base/?tkn=secret&folder=/x',
  hosts: ['localhost:8080'],
  origins: [],
  cookie: undefined,
};
const getStatus = (changes: Partial<AdmissionRequest>): number | undefined =>
  getAdmissionRefusal({ ...pageRequest, ...changes }, rules)?.status;

it('the page with the token in its address is admitted', () => {
  expect(getStatus({})).toBeUndefined();
});

it('the resources of the page are admitted by cookie', () => {
  expect(getStatus({ target: '/base/x', cookie: 'a=b; vscode-tkn=secret; c' })).toBeUndefined();
  expect(
    getStatus({ target: '/base/x', cookie: 'vscode-tkn=secret', origins: ['http://localhost:8080'] }),
  ).toBeUndefined();
});

test.each<[string, Partial<AdmissionRequest>]>([
  ['a foreign Host', { hosts: ['evil.example:8080'] }],
  ['no Host', { hosts: [] }],
  ['two Hosts', { hosts: ['localhost:8080', 'localhost:8080'] }],
  ['a foreign Origin', { origins: ['http://evil.example'] }],
  ['a foreign Origin beside its own', { origins: ['http://localhost:8080', 'http://evil.example'] }],
  ['no token', { target: '/base/' }],
  ['a wrong token', { target: '/base/?tkn=secre' }],
  ['an empty token', { target: '/base/?tkn=', cookie: 'vscode-tkn=' }],
  ['the token under another name', { target: '/base/?token=secret', cookie: 'x-vscode-tkn=secret' }],
  ['the token in the path', { target: '/base/tkn=secret' }],
])('a request with %s is refused, with advice', (_what, changes) => {
  const refusal = getAdmissionRefusal({ ...pageRequest, ...changes }, rules);
  expect(refusal?.status).toBe(403);
  expect(refusal?.message).toContain('Open the address that npm start printed');
});

it('a foreign Host is reported before anything else, even the token', () => {
  const refusal = getAdmissionRefusal(
    { ...pageRequest, target: '/elsewhere', hosts: ['evil.example'] },
    rules,
  );
  expect(refusal?.message).toContain('--allow-host NAME');
});

it('an absolute address in place of the path is not a path', () => {
  expect(getStatus({ target: 'http://evil.example/base/?tkn=secret' })).toBe(400);
});

it('nothing outside the path of this start is served', () => {
  expect(getStatus({ target: '/?tkn=secret' })).toBe(404);
  expect(getStatus({ target: '/basement/?tkn=secret' })).toBe(404);
});
