import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getBundleFile } from '../../../../src/packaging/l10n/files.ts';

const german: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../..', getBundleFile('de')), 'utf8'),
);
const text = 'SELECT SUM(o.Revenue) FROM Orders o';
const region = {
  text,
  context: { kind: 'table', catalog: { complete: false, tables: [] } },
  toRange: () => ({}),
};

/** The parts of the `vscode` API that the providers use, in German. */
const editor = {
  l10n: { t: (message: string) => german[message] ?? message },
  Hover: class {
    readonly contents: unknown;
    constructor(contents: unknown) {
      this.contents = contents;
    }
  },
  MarkdownString: class {
    value = '';
    appendCodeblock(code: string): this {
      return this.appendMarkdown(code);
    }
    appendMarkdown(markdown: string): this {
      this.value += markdown;
      return this;
    }
  },
  ParameterInformation: class {
    readonly label: unknown;
    constructor(label: unknown) {
      this.label = label;
    }
  },
  SignatureHelp: class {
    signatures: readonly unknown[] = [];
  },
  SignatureInformation: class {
    readonly documentation: string;
    constructor(_label: string, documentation: string) {
      this.documentation = documentation;
    }
  },
};

const loadProviders = () => import('../../../../src/features/sqlLanguage/hoverAndSignatureHelp.ts');
let providers: Awaited<ReturnType<typeof loadProviders>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => editor);
  providers = await loadProviders();
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const createRegions = (marked: string) =>
  ({
    findRegionAt: () => Promise.resolve({ region, offset: text.indexOf(marked) + marked.length }),
  }) as never;

test('signature help describes a function in the language of the editor', async () => {
  const provider = new providers.SqlSignatureHelpProvider(createRegions('SUM('));
  const help = await provider.provideSignatureHelp({} as never, {} as never);
  expect(help?.signatures[0]?.documentation).toBe('Summe der Werte in einer Gruppe');
});

test('a hover describes a function in the language of the editor', async () => {
  const provider = new providers.SqlHoverProvider(createRegions('SU'));
  const hover = await provider.provideHover({} as never, {} as never);
  expect(hover?.contents).toHaveProperty(
    'value',
    expect.stringContaining('Summe&#160;der&#160;Werte&#160;in&#160;einer&#160;Gruppe'),
  );
});
