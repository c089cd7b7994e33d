/** The options of a webview page; URLs must be ones that the webview may load. */
export interface WebviewPageOptions {
  readonly script: string;
  readonly style: string;
  /** The source that the webview may load from, in the format of a content security policy. */
  readonly cspSource: string;
  /** A random value, new for each page. */
  readonly nonce: string;
  readonly title: string;
  /** Shown until the script shows the page. */
  readonly loadingText: string;
  /** The editor's display language, such as `en` or `pt-br`. */
  readonly language: string;
  /** Translations of the page's texts by English text; empty if the language has none. */
  readonly translations: Readonly<Record<string, string>>;
}

/**
 * The HTML of a webview: one script and one style sheet. Apart from the escaped title, it contains no text from a
 * server or a document; such text is posted to the page in messages. The content security policy forbids everything
 * else, including inline scripts and styles (decisions.md, "Activation and quality").
 */
export function renderWebviewHtml(page: WebviewPageOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  // The icons of @vscode-elements find their style sheet by this ID.
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${escapeHtml(page.style)}">
</head>
<body data-translations="${escapeHtml(JSON.stringify(page.translations))}">
<div id="root"><p class="page-loading">${escapeHtml(page.loadingText)}</p></div>
<script type="module" nonce="${escapeHtml(page.nonce)}" src="${escapeHtml(page.script)}"></script>
</body>
</html>
`;
}

/** The HTML of a webview that only shows an error. It loads nothing and has no scripts. */
export const renderErrorHtml = (page: {
  readonly title: string;
  readonly message: string;
  readonly language: string;
}): string => `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
</head>
<body>
<p role="alert">${escapeHtml(page.message)}</p>
</body>
</html>
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
