import { expect, test } from 'vitest';
import {
  type WebviewPageOptions,
  renderErrorHtml,
  renderWebviewHtml,
} from '../../../src/platform/webviewHtml.ts';

const page: WebviewPageOptions = {
  script: 'https://host/dist/webviews/form.js',
  style: 'https://host/dist/webviews/form.css',
  cspSource: 'https://host',
  nonce: 'abc+/=',
  title: 'Sales',
  language: 'en',
  loadingText: 'Loading…',
  translations: {},
};

function getPolicy(html: string): ReadonlyMap<string, string> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  return new Map(
    content
      .replaceAll('&#39;', "'")
      .split(';')
      .map((part) => part.trim())
      .map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]),
  );
}

test('the policy allows one script, the style sheet and the font, and nothing else', () => {
  expect(getPolicy(renderWebviewHtml(page))).toEqual(
    new Map([
      ['default-src', "'none'"],
      ['script-src', "'nonce-abc+/='"],
      ['style-src', 'https://host'],
      ['font-src', 'https://host'],
      ['base-uri', "'none'"],
      ['form-action', "'none'"],
    ]),
  );
});

test('the page says that it is loading until its script takes over', () => {
  expect(renderWebviewHtml(page)).toContain('<div id="root"><p class="page-loading">Loading…</p></div>');
});

test('the page has no inline script, style or handler', () => {
  const html = renderWebviewHtml(page);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  expect(html.match(/<script[^>]*>[^<]/)).toBeNull();
});

test('embedded data cannot break out of its attribute', () => {
  const hostileText = `"><script>alert('x')</script>&`;
  const html = renderWebviewHtml({
    ...page,
    title: hostileText,
    language: hostileText,
    loadingText: hostileText,
    translations: { [hostileText]: hostileText },
  });
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;');
});

test('the page of an error has only its texts, and may load nothing', () => {
  const hostileText = `<img src=x onerror="alert('x')">`;
  const html = renderErrorHtml({ title: hostileText, message: hostileText, language: 'de' });
  expect(getPolicy(html)).toEqual(
    new Map([
      ['default-src', "'none'"],
      ['base-uri', "'none'"],
      ['form-action', "'none'"],
    ]),
  );
  expect(html).not.toMatch(/<(?:img|script|style|link)/);
  expect(html).toContain('<p role="alert">&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;</p>');
  expect(html).toContain('<html lang="de">');
});
