import { expect, test } from 'vitest';
import { getAddressKey, mayContainAddress } from '../../../src/base/addressKey.ts';
import { expectDefined } from '../../support/expectations.ts';

const getKey = (address: string): string => expectDefined(getAddressKey(address), 'key');

test.each([
  'https://Host.example.com',
  'http://host.example.com:80/',
  'host.example.com.',
  'https://host.example.com:443//',
  'https://%68ost.example.com',
])('an address has the same key in any spelling: %s', (address) => {
  expect(getAddressKey(address)).toBe(getKey('https://host.example.com'));
});

test.each(['https://host.example.com//base', 'https://host.example.com/%62ase/'])(
  'the path of an address has the same key in any spelling: %s',
  (address) => {
    expect(getAddressKey(address)).toBe(getKey('https://host.example.com/base'));
    expect(getAddressKey(address)).not.toBe(getKey('https://host.example.com'));
  },
);

test('a path that is no encoded text is kept', () => {
  expect(getAddressKey('https://host.example.com/%zz')).toBe('host.example.com:/%zz');
});

test.each([
  '{"url": "https://host.example.com}',
  '{"url":https://host.example.com}',
  '{url:https://HOST.example.com;}',
  String.raw`{"url": "https:\/\/host.ex\u0061mple.com"`,
  '<<<<<<< mine\nhost.example.com\n=======',
])('a broken file may contain an address: %s', (text) => {
  expect(mayContainAddress(text, getKey('https://host.example.com'))).toBe(true);
  expect(mayContainAddress(text, getKey('https://other.example.com'))).toBe(false);
});

test.each(['http://127.0.0.1:8080', '"[::1]:8080', 'localhost', '0.0.0.0'])(
  'a broken file may contain an address of this machine: %s',
  (text) => {
    expect(mayContainAddress(`{"url": "${text}`, getKey('http://127.0.0.2:8080'))).toBe(true);
    expect(mayContainAddress(`{"url": "${text}`, getKey('https://host.example.com'))).toBe(false);
  },
);

test('a broken file may contain a name in another script', () => {
  expect(
    mayContainAddress('{"url": "https://bücher.example", ', getKey('https://xn--bcher-kva.example')),
  ).toBe(true);
});
