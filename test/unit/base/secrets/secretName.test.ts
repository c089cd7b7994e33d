import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isConnectorSettingsName,
  isSecretByName,
  isPossibleSecretName,
} from '../../../../src/base/secrets/secretName.ts';

const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);

const secretNames = splitWords(`
  pwd password passwd PASSWORD PassWord pass_word Pass-Word passphrase secret clientSecret client_secret
  CLIENT-SECRET clientsecret token accessToken access_token refreshtoken securityToken key apiKey api_key
  APIKEY x-api-key accessKey accesskey AccountKey accountkey SharedAccessKey sharedaccesskey privateKey
  private_key rsaPrivateKey credential credentials Credentials sas sasToken sig signature serviceAccount
  service_account serviceaccount pat jwt bearer authorization cookie Set-Cookie sessionId JSESSIONID otp pin
  encryptionKey masterKey signingKey subscriptionKey consumerKey passcode passKey pw psw userPwd sslPwd dbpass
  DBPASS mypassword mysqlpassword kennwort Contraseña secretKey s3SecretKey fs.s3a.secret.key ssl.key.password
  keyStorePassword auth.token hapikey storageKey key1 key2 password2 Password1 LicenseKey encryptedPassword
  passwordHash oauthToken OAuthClientSecret AWSSecretAccessKey awsSecretAccessKey toKen to_ken appPassword
  PASSWORT senha motDePasse user.password privatePem privateStuff
`);

const plainNames = splitWords(`
  keyColumn primaryKey primary_key PRIMARYKEY foreignKey partitionKey partition_key PartitionKey sortKey
  rowKey keyspace keySpace KEYSPACE monkey turkey keyboard keyword keywords tokenEndpoint tokenUrl token_uri
  passwordPolicy password_policy authenticationType authType auth_type secretName secretVersion secretManager
  keyName key_name KeyVaultName keyId privateKeyId accessKeyId AccessKeyID keyAlgorithm keyType keyLength
  tokenType token_type tokenExpiry passThrough passthrough compass bypass passport encompass
  hostKeyFingerprint publicKey uniqueKey keyField user userName username host server database schema provider
  Compassion assigned signal design patient path pattern spin shipping sasl sasl.mechanism pinned authority
  author authorizationUrl authorizationEndpoint passwordExpires passwordMinLength secretary tokenizer
  tokenProvider stopWords topWidth connection account accountName client_id tenantId keyFormat distributionKey
  clusterKey keyCount description optIn database.name
`);

test.each(secretNames)('%s names a secret', (name) => {
  expect(isSecretByName(name, 'Zx9-secret')).toBe(true);
});

test.each(plainNames)('%s does not name a secret', (name) => {
  expect(
    isSecretByName(name, /ur[il]|endpoint/i.test(name) ? 'https://login.example.net/t' : 'Zx9-plain'),
  ).toBe(false);
});

describe('the value decides where the name is ambiguous', () => {
  test.each([
    ['serviceAccountKeyPath', '/etc/keys/bq.json'],
    ['privateKeyFile', 'C:\\keys\\rsa.p8'],
    ['sslkey', 'client.key'],
    ['secretArn', 'arn:aws:secretsmanager:eu-west-1:1:secret:x'],
    ['serviceAccount', 'etl@acme.iam.gserviceaccount.com'],
    ['auth', 'kerberos'],
    ['useToken', 'yes'],
    ['isTokenUsed', 'true'],
    ['password', ''],
  ])('%s: %s is readable', (name, value) => {
    expect(isSecretByName(name, value)).toBe(false);
  });

  test.each([
    ['serviceAccountKeyPath', 'k'],
    ['privateKeyFile', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'],
    ['privateKeyFile', '/9j4AAQSkZJRgABAQEAYABgAADMIIEvQIBADANBg'],
    ['secretArn', 'not an address'],
    ['serviceAccount', '{"private_key":"x"}'],
    ['auth', 'reader:hunter2'],
    ['token', '12345678'],
    ['password', 'no'],
  ])('%s: %s is secret', (name, value) => {
    expect(isSecretByName(name, value)).toBe(true);
  });
});

const spellings: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map((word, index) => (index === 0 ? word : capitalize(word))).join(''),
  (words) => words.map(capitalize).join(''),
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('-').toUpperCase(),
  (words) => words.map(capitalize).join(' '),
  (words) => words.join(''),
  (words) => words.join('').toUpperCase(),
];
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const qualifiers = ['user', 'db', 'proxy', 'ssh', 'access', 'client', 'storage', 'ssl', 'app'];
const secretWords = ['password', 'passphrase', 'secret', 'token', 'pwd', 'credential', 'credentials'];
const plainWords = ['policy', 'type', 'name', 'expiry', 'length', 'algorithm', 'provider'];

test('property: a name gives the same result in any spelling', () => {
  fc.assert(
    fc.property(
      fc.subarray(qualifiers, { maxLength: 3 }),
      fc.constantFrom(...secretWords),
      fc.option(fc.constantFrom(...plainWords)),
      fc.constantFrom(...spellings),
      (before, word, after, spell) => {
        const name = spell([...before, word, ...(after === null ? [] : [after])]);
        expect([name, isPossibleSecretName(name)]).toEqual([name, after === null]);
      },
    ),
  );
});

test('a name that is too long counts as secret', () => {
  expect(isPossibleSecretName('x'.repeat(200))).toBe(true);
});

test.each(
  splitWords(`
    connection connections Connection_String connectionData configOptions globalTableConfigOptions parameters
    protectedParameters connection-parameters uiParams credential credentials C-R-E-D-E-N-T-I-A-L-S _parameters
    9.p.a.r.a.m.e.t.e.r.s G_lobalTableConfigOptions P_rotected_Parameters U-I-Params c.o.n.f.i.g.Options
  `),
)('a member named %s contains the settings of a connector', (name) => {
  expect(isConnectorSettingsName(name)).toBe(true);
});

test.each(splitWords('columns created precision project parameter configuration uid connectionId'))(
  'a member named %s does not contain the settings of a connector',
  (name) => {
    expect(isConnectorSettingsName(name)).toBe(false);
  },
);
