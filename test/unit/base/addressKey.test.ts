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

test('an IPv4 address has the same key when it is written as an IPv6 address', () => {
  expect(getAddressKey('http://[::ffff:10.0.0.5]:8080')).toBe(getKey('10.0.0.5:8080'));
  expect(getAddressKey('http://[::FFFF:a00:5]')).toBe(getKey('10.0.0.5'));
  expect(getAddressKey('http://[2001:db8::a00:5]')).not.toBe(getKey('10.0.0.5'));
});

test.each([
  'foo.localhost',
  'ip6-localhost',
  'ip6-loopback',
  'localhost.localdomain',
  '[::ffff:127.0.0.1]',
  '[::ffff:0:0]',
])('each name of this machine has the key of localhost: %s', (host) => {
  expect(getAddressKey(`http://${host}:8080`)).toBe(getKey('http://localhost:8080'));
});

test('a path with invalid percent-encoding is kept', () => {
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

test.each(['http://127.0.0.1:8080', '"[::1]:8080', 'localhost', '0.0.0.0', 'http://127.1/a', '<[0::1]/a>'])(
  'a broken file may contain an address of this machine: %s',
  (text) => {
    expect(mayContainAddress(`{"url": "${text}`, getKey('http://127.0.0.2:8080'))).toBe(true);
    expect(mayContainAddress(`{"url": "${text}`, getKey('https://host.example.com'))).toBe(false);
  },
);

test.each([
  ['https://xn--bcher-kva.example', '{"url": "https://bücher.example", '],
  ['https://xn--bcher-kva.example', '{url:https://bücher.example;}'],
  ['https://xn--bcher-kva.example', '<https://Bücher.example/other>'],
  ['https://[2001:db8::1]:8443', '{"url": "https://[2001:0db8:0:0::1]/other", '],
  ['https://10.0.0.5', '{url:https://[::ffff:a00:5]/other}'],
])('a broken file may contain another spelling of %s: %s', (address, text) => {
  expect(mayContainAddress(text, getKey(address))).toBe(true);
  expect(mayContainAddress(text, getKey('https://host.example.com'))).toBe(false);
});

test('a number in a broken file is not taken for an address', () => {
  expect(mayContainAddress('{"version": 0, "url": ', getKey('http://localhost:8080'))).toBe(false);
});
