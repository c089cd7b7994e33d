import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/connections/parseAddress.ts';

describe('an address is stored as origin and path', () => {
  test.each([
    ['https://bi.example.com', 'https://bi.example.com'],
    ['  bi.example.com/  ', 'https://bi.example.com'],
    ['bi.example.com:8443', 'https://bi.example.com:8443'],
    ['HTTPS://BI.Example.com/app//', 'https://bi.example.com/app'],
    ['127.0.0.1:30845', 'http://127.0.0.1:30845'],
    ['localhost:8081', 'http://localhost:8081'],
    ['bi.localhost', 'https://bi.localhost'],
    ['http://bi.example.com', 'http://bi.example.com'],
    ['LocalHost:8081/app', 'http://localhost:8081/app'],
    ['[::1]:30845', 'http://[::1]:30845'],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ])('%s → %s', (text, url) => {
    expect(parseAddress(text)).toEqual({ url });
  });
});

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['not an address', 'not-an-address'],
  ['ftp://bi.example.com', 'not-http'],
  ['javascript://alert', 'not-http'],
  ['https://me:secret@bi.example.com', 'has-credentials'],
  ['https://bi.example.com?token=abc', 'has-query'],
  ['https://bi.example.com#x', 'has-query'],
])('%s is rejected: %s', (text, problem) => {
  expect(parseAddress(text)).toEqual({ problem });
});
