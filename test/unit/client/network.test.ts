import { describe, expect, test } from 'vitest';
import { classifyFailure, ProxySettingError, resolveProxy } from '../../../src/client/network.ts';

const https = 'https://bi.example.com/x';
const http = 'http://bi.example.com/x';

describe('choosing the proxy', () => {
  test('the setting takes precedence over the environment', () => {
    const environment = { HTTPS_PROXY: 'http://env:1' };
    expect(resolveProxy(https, { proxy: 'http://set:2', environment })).toBe('http://set:2/');
    expect(resolveProxy(https, { proxy: '', environment })).toBe('http://env:1/');
    expect(resolveProxy(https, {})).toBeUndefined();
  });

  test('the environment variable for the scheme is used, lower case first, and HTTP_PROXY also for HTTPS', () => {
    const environment = { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1', HTTP_PROXY: 'http://c:1' };
    expect(resolveProxy(https, { environment })).toBe('http://b:1/');
    expect(resolveProxy(http, { environment })).toBe('http://c:1/');
    expect(resolveProxy(https, { environment: { HTTP_PROXY: 'http://c:1' } })).toBe('http://c:1/');
    expect(resolveProxy(http, { environment: { HTTPS_PROXY: 'http://a:1' } })).toBeUndefined();
  });

  test('a proxy without a scheme is an HTTP proxy', () => {
    expect(resolveProxy(https, { proxy: 'proxy.corp:8080' })).toBe('http://proxy.corp:8080/');
  });

  test.each(['http://', 'http://u:secret@[', 'http://u:secret%@x', 'gopher://x', 'pac+http://x'])(
    '%s is an invalid proxy, and is not ignored',
    (proxy) => {
      expect(() => resolveProxy(https, { proxy })).toThrow(ProxySettingError);
      expect(() => resolveProxy(https, { proxy })).not.toThrow(/secret/);
    },
  );
});

describe('bypassing the proxy', () => {
  const proxy = 'http://proxy:1';

  test.each(['http://localhost:1/', 'http://127.0.0.1:1/', 'http://127.8.9.1/', 'http://[::1]/'])(
    'this machine is reached directly at %s',
    (url) => {
      expect(resolveProxy(url, { proxy })).toBeUndefined();
    },
  );

  test('a name below localhost may mean another machine', () => {
    expect(resolveProxy('http://a.localhost/', { proxy })).toBe('http://proxy:1/');
  });

  test.each([
    '*',
    'example.com',
    '.example.com',
    '*.example.com',
    'BI.example.com',
    'bi.example.com:443',
    'x, example.com',
  ])('the noProxy entry "%s" applies', (entry) => {
    const list = entry.split(', ');
    expect(resolveProxy(https, { proxy, noProxy: list })).toBeUndefined();
    expect(resolveProxy(https, { proxy, environment: { NO_PROXY: list.join(',') } })).toBeUndefined();
  });

  test.each(['ample.com', 'bi.example.com:8443', 'other.com', '', '.'])(
    'the noProxy entry %j does not apply',
    (entry) => {
      expect(resolveProxy(https, { proxy, noProxy: [entry] })).toBe('http://proxy:1/');
    },
  );

  test.each(['fd00::1', 'FD00:0:0::1', '[fd00::1]', '[fd00::1]:443'])(
    'the noProxy entry %j applies to an IPv6 address',
    (entry) => {
      expect(resolveProxy('https://[fd00::1]/', { proxy, noProxy: [entry] })).toBeUndefined();
      expect(resolveProxy('https://[fd00::2]/', { proxy, noProxy: [entry] })).toBe('http://proxy:1/');
    },
  );

  test('the setting noProxy takes precedence over NO_PROXY', () => {
    expect(resolveProxy(https, { proxy, noProxy: ['other'], environment: { NO_PROXY: '*' } })).toBe(
      'http://proxy:1/',
    );
  });
});

describe('the classification of error codes', () => {
  const createCodedError = (code: string, cause?: unknown) =>
    Object.assign(new Error('text', { cause }), { code });

  test.each([
    ['ENOTFOUND', 'dns', 'proxy'],
    ['ECONNREFUSED', 'refused', 'proxy'],
    ['ECONNRESET', 'reset', 'reset'],
    ['UND_ERR_SOCKET', 'reset', 'reset'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'tls'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'timeout'],
    ['UND_ERR_ABORTED', 'unknown', 'proxy'],
    ['UND_ERR_INVALID_ARG', 'unknown', 'proxy'],
    ['SOMETHING_ELSE', 'unknown', 'unknown'],
  ])('%s is %s, or %s with a proxy', (code, kindWithoutProxy, kindWithProxy) => {
    expect(classifyFailure(createCodedError(code), false).kind).toBe(kindWithoutProxy);
    expect(classifyFailure(createCodedError(code), true).kind).toBe(kindWithProxy);
  });

  test('uses the innermost code, also of an aggregate, and ends for circular causes', () => {
    const aggregate = Object.assign(new AggregateError([createCodedError('ECONNREFUSED')]), { code: 'ODD' });
    expect(classifyFailure(createCodedError('UND_ERR_SOCKET', aggregate), false).kind).toBe('refused');
    const circularError = createCodedError('ECONNRESET');
    circularError.cause = circularError;
    expect(classifyFailure(circularError, false).kind).toBe('reset');
    expect(classifyFailure('no error', false).kind).toBe('unknown');
  });
});
