import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AllowedAddresses, parseAllowedHost } from '../../../src/launcher/allowedAddresses.ts';

const localAddresses = new AllowedAddresses(8080);

describe('the Host of a request', () => {
  it.each(['127.0.0.1:8080', 'localhost:8080', 'LocalHost:8080', '[::1]:8080'])('may be %s', (host) => {
    expect(localAddresses.allowsHost(host)).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1',
    '127.0.0.1:8081',
    '127.0.0.1:8080.evil.example',
    '127.0.0.1.evil.example:8080',
    'localhost.evil.example:8080',
    'evil@127.0.0.1:8080',
    '127.0.0.1:8080/x',
    '127.0.0.1:8080@evil.example',
    '127.0.0.1:8080, evil.example',
    '127.0.0.1:8080\t',
    '0.0.0.0:8080',
    '::1:8080',
    '[::1',
    ':8080',
    '',
  ])('may not be "%s"', (host) => {
    expect(localAddresses.allowsHost(host)).toBe(false);
  });

  it('may omit the default web port', () => {
    expect(new AllowedAddresses(80).allowsHost('localhost')).toBe(true);
  });
});

describe('the Origin of a request', () => {
  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'HTTP://LOCALHOST:8080', 'http://[::1]:8080'])(
    'may be %s',
    (origin) => {
      expect(localAddresses.allowsOrigin(origin)).toBe(true);
    },
  );

  it.each([
    'null',
    '',
    'http://evil.example',
    'http://evil.example:8080',
    'http://127.0.0.1:8081',
    'http://127.0.0.1',
    'file://127.0.0.1:8080',
    'chrome-extension://127.0.0.1:8080',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:8080 http://evil.example',
    '127.0.0.1:8080',
  ])('may not be "%s"', (origin) => {
    expect(localAddresses.allowsOrigin(origin)).toBe(false);
  });
});

describe('--allow-host', () => {
  const allowed = new AllowedAddresses(8080, [
    parseAllowedHost('Work.Example'),
    parseAllowedHost('other.example:9000'),
  ]);

  it('with a name allows it on any port, over either scheme', () => {
    expect(allowed.allowsHost('work.example')).toBe(true);
    expect(allowed.allowsHost('WORK.example:8443')).toBe(true);
    expect(allowed.allowsOrigin('https://work.example')).toBe(true);
    expect(allowed.allowsHost('sub.work.example')).toBe(false);
  });

  it('with a name and a port allows only that port', () => {
    expect(allowed.allowsHost('other.example:9000')).toBe(true);
    expect(allowed.allowsOrigin('http://other.example:9000')).toBe(true);
    expect(allowed.allowsHost('other.example')).toBe(false);
    expect(allowed.allowsOrigin('https://other.example')).toBe(false);
  });

  it('with the port of https allows the address without a port', () => {
    const httpsAddresses = new AllowedAddresses(8080, [parseAllowedHost('work.example:443')]);
    // A `Host` header has no scheme: behind an HTTPS proxy, it means port 443.
    expect(httpsAddresses.allowsHost('work.example')).toBe(true);
    expect(httpsAddresses.allowsOrigin('https://work.example')).toBe(true);
    expect(httpsAddresses.allowsOrigin('http://work.example')).toBe(false);
  });

  it.each([
    '',
    '*',
    '*.example',
    'http://work.example',
    'work.example/',
    'a b',
    'work.example:',
    'x:999999',
    'x:65536',
  ])('refuses "%s"', (text) => {
    expect(() => parseAllowedHost(text)).toThrow(/Invalid --allow-host/);
  });
});

it('a local address with any addition is refused', () => {
  const addition = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(addition, (text) => {
      expect(localAddresses.allowsHost(`${text}127.0.0.1:8080`)).toBe(false);
      expect(localAddresses.allowsHost(`127.0.0.1:8080${text}`)).toBe(false);
      expect(localAddresses.allowsOrigin(`http://${text}127.0.0.1:8080`)).toBe(false);
      expect(localAddresses.allowsOrigin(`http://127.0.0.1:8080${text}`)).toBe(false);
    }),
  );
});
