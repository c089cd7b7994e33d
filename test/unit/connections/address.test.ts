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
    ['analytics-2-internal-production', 'https://analytics-2-internal-production'],
    ['https://a1b2c3d4e5f6a7b8c9d0e1f2', 'https://a1b2c3d4e5f6a7b8c9d0e1f2'],
    ['a1b2c3d4e5f6a7b8c9d0.example.com', 'https://a1b2c3d4e5f6a7b8c9d0.example.com'],
    ['localhost/analytics/tenant1', 'http://localhost/analytics/tenant1'],
    ['analyticsserver01/bi', 'https://analyticsserver01/bi'],
    ['analyticsserver01/tenant/one', 'https://analyticsserver01/tenant/one'],
    ['bi_production_server_01/app/tenant1/', 'https://bi_production_server_01/app/tenant1'],
    ['a1b2c3d4e5f6.example/tenant/one', 'https://a1b2c3d4e5f6.example/tenant/one'],
    ['a1b2c3d4-e5f6/tenant/one', 'https://a1b2c3d4-e5f6/tenant/one'],
    ['a1b2c3d4e5f6:8443/tenant/one', 'https://a1b2c3d4e5f6:8443/tenant/one'],
    ['bi_production_server_01', 'https://bi_production_server_01'],
    ['localhostofanalytics01', 'https://localhostofanalytics01'],
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
  ['eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiNjBkIn0.kM0u_X-4', 'is-token'],
  [' 7f3a9c1e5b2d4f6a8c0e1d3b5f7a9c1e ', 'is-token'],
  ['c2VjcmV0LXRva2VuLTEyMw/A+b==', 'is-token'],
  ['0f8fad5b-d9cb-469f-a165-70867728950e', 'is-token'],
  ['c2VjcmV0/LXRva2VuLTEyMw==', 'is-token'],
  ['c2VjcmV0LXRv+2VuLTEyMwA', 'is-token'],
  ['c2VjcmV0/LXRva2VuLTEyMwA', 'is-token'],
  ['c2VjcmV0LXRva2VuLTEyMw/A+b', 'is-token'],
  ['/LXRva2VuLTEyMw/c2VjcmV0', 'is-token'],
  ['secret/LXRva2VuLTEyMw==', 'is-token'],
  ['A1_c2VjcmV0LXRva2VuLTEyMw_x', 'is-token'],
  ['k3j4h5g6f7d8s9a0_q1w2e3r4t5', 'is-token'],
  ['https://me:secret@bi.example.com', 'has-credentials'],
  ['https://bi.example.com?token=abc', 'has-query'],
  ['https://bi.example.com#x', 'has-query'],
])('%s is rejected: %s', (text, problem) => {
  expect(parseAddress(text)).toEqual({ problem });
});
