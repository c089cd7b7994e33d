import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import {
  maskConnectorSettings,
  maskDocument,
  maskConnectorDocument,
  maskText,
} from '../../../../src/base/secrets/maskSecrets.ts';
import { findMaskPaths, findSecretBehindMask, unmask } from '../../../../src/base/secrets/maskPaths.ts';
import { anyJson } from '../../documents/anyJson.ts';

test('connection fields with secret names are masked, at any depth', () => {
  const parameters = {
    Server: 'db',
    UserName: 'reader',
    Password: 'p1',
    nested: [{ serviceAccountKeyPath: 'k', privateStuff: 12 }],
    isTokenUsed: false,
    secret: null,
  };
  const createModel = (shown: JsonValue): JsonValue => ({
    title: 'Retail',
    tableKey: 'not of a connection',
    datasets: [{ connection: { provider: 'PostgreSQL', parameters: shown } }],
  });
  expect(maskConnectorDocument(createModel(parameters))).toEqual(
    createModel({
      ...parameters,
      Password: mask,
      nested: [{ serviceAccountKeyPath: mask, privateStuff: mask }],
    }),
  );
});

test('parameters that are one encrypted string are masked', () => {
  expect(maskConnectorDocument({ connection: { parameters: 'AES…' } })).toEqual({
    connection: { parameters: mask },
  });
});

describe('secrets are masked, and other values are not, wherever the name of the value is', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['pwd', { pwd: 'x1' }, { pwd: mask }],
    [
      'a pair of attributes',
      { x: '<add key="Password" value="x1" />' },
      { x: `<add key="Password" value="${mask}" />` },
    ],
    [
      'a pair of attributes in the reverse order',
      { x: `<p value='x1' name='password'/>` },
      { x: `<p value='${mask}' name='password'/>` },
    ],
    [
      'a pair of attributes whose name is not secret, which stays readable',
      { x: '<add key="Host" value="db"/>' },
      { x: '<add key="Host" value="db"/>' },
    ],
    [
      'an XML element with a CDATA section',
      { x: '<password><![CDATA[x1]]></password>' },
      { x: `<password><![CDATA[${mask}]]></password>` },
    ],
    ['JSON with escaped quotes', { x: '{\\"password\\":\\"x1\\"}' }, { x: `{\\"password\\":\\"${mask}\\"}` }],
    [
      'JSON that is encoded twice',
      { x: JSON.stringify(JSON.stringify({ user: 'u', password: 'x1' })) },
      { x: JSON.stringify(JSON.stringify({ user: 'u', password: mask })) },
    ],
    [
      'pairs whose members have other names',
      {
        list: [
          { id: 'password', value: 'x1' },
          { field: 'password', defaultValue: 'x1' },
          { id: '7', value: 'a' },
        ],
      },
      {
        list: [
          { id: 'password', value: mask },
          { field: 'password', defaultValue: mask },
          { id: '7', value: 'a' },
        ],
      },
    ],
    ['credentials', { credentials: 'x1' }, { credentials: mask }],
    ['a shared access signature', { sas: 'x1' }, { sas: mask }],
    ['a service account', { serviceAccount: 'x1' }, { serviceAccount: mask }],
    [
      'a connection string',
      { AdditionalParameters: 'a=1;Password=x1' },
      { AdditionalParameters: `a=1;Password=${mask}` },
    ],
    ['a URL query', { url: 'jdbc:x://h/d?password=x1' }, { url: `jdbc:x://h/d?password=${mask}` }],
    ['a user in an address', { uri: 'mongodb://u:x1@h' }, { uri: `mongodb://u:${mask}@h` }],
  ])('%s', (_name, parameters, shown) => {
    expect(maskConnectorDocument({ connection: { parameters } })).toEqual({
      connection: { parameters: shown },
    });
  });

  test('in a connection that is a single string, and in the options of a table', () => {
    expect(maskConnectorDocument({ connection: 'Server=a;Pwd=x1' })).toEqual({
      connection: `Server=a;Pwd=${mask}`,
    });
    expect(maskConnectorDocument({ configOptions: { password: 'x1' } })).toEqual({
      configOptions: { password: mask },
    });
  });
});

describe('a secret in a connection string is masked as a whole, and other values are not masked', () => {
  const secret = `a"b;c}d'e=f,g h&i`;
  test.each([
    [
      'doubled quotes',
      `Password="${secret.replaceAll('"', '""')}";Server=db`,
      `Password="${mask}";Server=db`,
    ],
    ['doubled single quotes', `Pwd='${secret.replaceAll("'", "''")}';Server=db`, `Pwd='${mask}';Server=db`],
    ['braces of ODBC', `PWD={${secret.replaceAll('}', '}}')}};Server=db`, `PWD={${mask}};Server=db`],
    ['an escaped quote', `user=u password='it\\'s' host=h`, `user=u password='${mask}' host=h`],
    ['a separator, unquoted', 'Password=a;b;Server=db', `Password=${mask};Server=db`],
    ['blanks, unquoted', 'Password=correct horse battery;Server=db', `Password=${mask};Server=db`],
    ['a hash in a query', 'jdbc:x://h?password=a#b;c&user=u', `jdbc:x://h?password=${mask}&user=u`],
    ['characters that separate the parts of a URL', 'mongodb://u:p@ss/w0rd@h/d', `mongodb://u:${mask}@h/d`],
    ['a quote that is not closed', 'Server=db;Password="a;b', `Server=db;Password="${mask}`],
    ['a port, which is not a password', 'https://h:8080/a@b.c', 'https://h:8080/a@b.c'],
    ['a user without a password', 'sftp://reader@h/in', 'sftp://reader@h/in'],
  ])('%s', (_name, text, shown) => {
    expect(maskConnectorSettings({ AdditionalParameters: text })).toEqual({ AdditionalParameters: shown });
  });
});

describe('a secret key', () => {
  const key = `-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----`;
  test('is masked as a whole, and its certificate stays readable', () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----';
    expect(maskConnectorSettings({ note: `${certificate}\n${key}\n` })).toEqual({
      note: `${certificate}\n${mask}\n`,
    });
    expect(maskConnectorSettings({ note: key.slice(0, 40) })).toEqual({ note: mask });
  });

  test('is masked in its key file, which still shows its project, as an object, as text, and in Base64', () => {
    const file = { project_id: 'acme', private_key: key, client_email: 'e@acme.iam.gserviceaccount.com' };
    const shown = { ...file, private_key: mask };
    const text = JSON.stringify(file, undefined, 2);
    expect(maskConnectorSettings({ serviceAccount: file })).toEqual({ serviceAccount: shown });
    expect(maskConnectorSettings({ serviceAccount: text })).toEqual({
      serviceAccount: JSON.stringify(shown, undefined, 2),
    });
    expect(maskConnectorSettings({ note: Buffer.from(text).toString('base64') })).toEqual({ note: mask });
  });

  test('is masked with all of its JSON if the values cannot be located in the text', () => {
    expect(maskConnectorSettings({ note: '{"b":"x","1":"y"}' })).toEqual({ note: mask });
    expect(maskConnectorSettings({ note: '{"password":"x","password":"y"}' })).toEqual({ note: mask });
  });
});

describe('the value of a secret command-line option is masked', () => {
  test.each([
    ['a word', '--password s3cret -h db', `--password ${mask} -h db`],
    ['a quoted word', "--password 's3cret' -h db", `--password '${mask}' -h db`],
    ['quoted words', '--password "my secret" -h db', `--password "${mask}" -h db`],
    ['a quoted value that starts with a dash', "--password '-x y' -h db", `--password '${mask}' -h db`],
    ['quotes within quotes', `-password "it's mine" -h db`, `-password "${mask}" -h db`],
    ['an escaped quote', String.raw`--password "a \" b" -h db`, `--password "${mask}" -h db`],
    [
      'an escaped text',
      String.raw`{\"run\": \"x --password \\\"a b\\\" -h\"`,
      String.raw`{\"run\": \"x --password \\\"${mask}\\\" -h\"`,
    ],
    ['quotes that are not closed', '--password "my secret', `--password "${mask}`],
    ['several options', "--token 'a b' --password 'c d'", `--token '${mask}' --password '${mask}'`],
    [
      'another option',
      '--title "my title" --password-file "/home/a b"',
      '--title "my title" --password-file "/home/a b"',
    ],
  ])('%s', (_name, text, shown) => {
    expect(maskText(`run ${text}`)).toBe(`run ${shown}`);
  });
});

describe('texts that are encoded', () => {
  type Encode = (text: string) => string;
  const toJson: Encode = (text) => JSON.stringify({ note: text });
  const toBase64: Encode = (text) => Buffer.from(text).toString('base64');
  const toUrl: Encode = (text) => `https://h/?a=${encodeURIComponent(text)}`;
  const nest = (text: string, encodings: readonly Encode[], depth: number): string =>
    Array.from({ length: depth }, (_, index) => encodings[index % encodings.length] ?? String).reduce(
      (inner, encode) => encode(inner),
      text,
    );

  const combinations: readonly (readonly [string, readonly Encode[]])[] = [
    ['JSON', [toJson]],
    ['Base64', [toBase64]],
    ['URLs', [toUrl]],
    ['JSON and Base64', [toJson, toBase64]],
    ['JSON and URLs', [toJson, toUrl]],
  ];

  test.each(combinations)('%s: a secret is masked, however often it is encoded', (_name, encodings) => {
    for (let depth = 1; depth <= 10; depth += 1) {
      const shown = JSON.stringify(
        maskConnectorSettings({ note: nest('Password=s3cret;a=b', encodings, depth) }),
      );
      expect([depth, shown.includes(mask), shown.includes('s3cret')]).toEqual([depth, true, false]);
    }
  });

  test.each(combinations)(
    '%s: a harmless text is masked only if it is encoded too often',
    (_name, encodings) => {
      const isMasked = (depth: number): boolean =>
        JSON.stringify(maskConnectorSettings({ note: nest('Server=db;Port=1', encodings, depth) })).includes(
          mask,
        );
      expect([1, 6, 7, 10].map(isMasked)).toEqual([false, false, true, true]);
    },
  );
});

test('a table and its SQL are left as they are, even if they look like secrets', () => {
  const table: JsonValue = {
    name: 'Passwords',
    description: 'Password=of the user',
    expression: "SELECT * FROM a WHERE url = 'http://u:p@h' AND password = 'x'",
    columns: [{ name: 'Password', expression: 'token' }],
    tags: ['secret=yes'],
  };
  expect(maskDocument('table', table)).toEqual(table);
});

test.each(['customDataObject', 'rule', 'viewpoint'])(
  'a document of the kind %s contains no connection, whatever its field names',
  (kind) => {
    const object = { connection: { password: 'x' } };
    expect(maskDocument(kind, object)).toBe(object);
  },
);

describe('text outside a connection', () => {
  test.each([
    [
      'Login failed: Server=db;Uid=u;Pwd=x1!;Database=d',
      `Login failed: Server=db;Uid=u;Pwd=${mask};Database=d`,
    ],
    ['Cannot reach mongodb://u:x1@h/d', `Cannot reach mongodb://u:${mask}@h/d`],
    ['Authorization: Bearer abc123def refused', `Authorization: ${mask}`],
    ['{"error":"x","password":"x1"}', `{"error":"x","password":"${mask}"}`],
    ['curl --token abc123 http://h', `curl --token ${mask} http://h`],
  ])('%s', (text, shown) => {
    expect(maskText(text)).toBe(shown);
  });

  test.each([
    'Unexpected token: SELECT',
    'The key: value pairs are wrong',
    'Basic authentication is not allowed',
    'answered 401: Token expired',
    'duplicate key value violates unique constraint (key = id)',
    'SyntaxError: Unexpected token o in JSON at position 1',
    'The secret of the house',
    '/api/v2/datamodels/x/schema/datasets/y',
  ])('%s contains no secret', (text) => {
    expect(maskText(text)).toBe(text);
  });
});

const secretName = fc.constantFrom(
  'password',
  'UserPass',
  'apiToken',
  'clientSecret',
  'accessKey',
  'privatePem',
  'pwd',
  'sas',
);
const secret = 'S3CRET';

test('property: no secret of a connection remains, wherever the connection is', () => {
  const text = fc.constantFrom(
    `Server=a;Password=${secret};Database=b`,
    `https://u:${secret}@h/p?q=1`,
    `{"a":{"token":"${secret}"}}`,
    `x=1&sig=${secret}`,
  );
  const leaf = fc.oneof(
    fc.tuple(secretName).map(([name]): JsonValue => ({ [name]: secret })),
    fc.tuple(secretName).map(([name]): JsonValue => ({ [name]: { deep: [secret] } })),
    fc.tuple(secretName).map(([name]): JsonValue => [{ name, value: secret }]),
    fc.tuple(fc.string(), text).map(([name, value]): JsonValue => ({ [name]: value })),
    fc.constant<JsonValue>({ parameters: secret }),
  );
  const { value: settings } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const { value: document } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc
        .tuple(fc.constantFrom('connection', 'configOptions', 'Config_Options'), settings)
        .map(([name, value]): JsonValue => ({ [name]: value })),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(document, (value) => {
      const shown = maskConnectorDocument(value);
      expect(JSON.stringify(shown)).not.toContain(secret);
      expect(maskConnectorDocument(shown)).toEqual(shown);
      expect(unmask(shown, (path) => findSecretBehindMask(value, shown, path) ?? null)).toEqual(value);
    }),
  );
});

test('property: masked values are found and restored in any text', () => {
  const piece = fc.constantFrom(
    'password',
    '=',
    ':',
    '"',
    "'",
    ';',
    '&',
    '{',
    '}',
    '\\',
    '://',
    '@',
    'u',
    ' ',
    ',',
    '\n',
    '%3D',
    '/',
    'x1',
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, anyJson, (value, otherValue) => {
      const document = { connection: { parameters: { AdditionalParameters: value, rest: otherValue } } };
      const shown = maskConnectorDocument(document);
      expect(maskConnectorDocument(shown)).toEqual(shown);
      expect(unmask(shown, (path) => findSecretBehindMask(document, shown, path) ?? null)).toEqual(document);
      expect(findMaskPaths(shown).length > 0).toBe(JSON.stringify(shown).includes(mask));
    }),
    { numRuns: 500 },
  );
});
