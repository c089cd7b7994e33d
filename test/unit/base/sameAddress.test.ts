import { expect, test } from 'vitest';
import { isSameAddress } from '../../../src/base/sameAddress.ts';

test.each([
  ['http://localhost:8080/a', 'http://127.0.0.1:8080/a', true],
  ['http://[::1]:8080', 'http://localhost:8080', true],
  ['http://127.0.0.1', 'http://[::1]', true],
  ['https://127.0.0.2:8443', 'https://127.0.0.3:8443', false],
  ['http://localhost:8080', 'https://localhost:8080', false],
  ['http://localhost:8080', 'http://localhost:8081', false],
  ['http://host.example.com', 'https://Host.example.com./', true],
  ['https://host.example.com/a', 'https://host.example.com/b', false],
  ['http://127.0.0.1.example.com', 'http://localhost.example.com', false],
])('%s and %s lead to the same server: %s', (first, second, expected) => {
  expect(isSameAddress(first, second)).toBe(expected);
});
