import { maxNameLength, vocabulary, splitNameIntoWords, splitNameWithoutSeparators } from './nameWords.ts';

/**
 * What a name indicates about its value. `notSecret`: the value is not secret. `secret`: it is always secret.
 * `location`, `identity` and `method`: it is secret unless it looks like a location, an email address or a known
 * authentication method.
 */
type NameMeaning = 'notSecret' | 'secret' | 'location' | 'method' | 'identity';

interface NameClassification {
  readonly meaning: NameMeaning;
  /** Certain enough for prose, where the word "key" alone does not indicate a secret. */
  readonly isSure: boolean;
  /** True for the name of a boolean setting, such as `usePassword`: "yes" or "0" is then not a secret. */
  readonly isSwitch: boolean;
}

const { passwordWords, tokenWords, describingWords, entityWords, locationWords, harmlessKeyWords } =
  vocabulary;

const notSecret: NameClassification = {
  meaning: 'notSecret',
  isSure: false,
  isSwitch: false,
};

/** First words of names of boolean settings, such as `usePassword`. */
const switchWords = new Set([
  'is',
  'has',
  'use',
  'uses',
  'enable',
  'allow',
  'require',
  'requires',
  'trust',
  'persist',
]);

/** Authentication methods, as used by fields named `auth`. */
const signInMethods =
  /^(no(ne|sasl)|basic|digest|ntlm|kerberos|ldaps?|plain|sasl|maprsasl|oauth ?2?|oauthbearer|openid|oidc|saml2?|sso|jwt|token|password|iam|aad|azure ?ad|windows|sspi|integrated|native|trusted|external|certificate|ssl|m?tls|anonymous|public|md5|scram-sha-(1|256|512)|gssapi|keypair|pat|api ?key|mysql_(?:native|clear)_password|(?:caching_)?sha2?(?:56)?_password|service ?principal|managed ?identity|activedirectory\w{1,24}|true|false|yes|no|on|off|\d{1,2})$/i;

/** Matches part of every secret name. Rules out most names, because it is faster than the full analysis. */
const possibleSecretPattern =
  /pass|pwd|psw|pw|secret|cred|kennwort|contrase|motdepasse|senha|wachtwoord|l[oö]senord|has[lł]o|parola|heslo|salasana|token|sas|sig|pat|jwt|bearer|assertion|auth|cookie|otp|pin|priv|key|sess|pfx|serviceaccount|encrypted|userinfo|code/i;

function classifyName(name: string): NameClassification {
  if (name.length > maxNameLength) {
    return { ...notSecret, meaning: 'secret' };
  }
  if (!possibleSecretPattern.test(name.normalize('NFKC').replaceAll(/[^\p{L}]+/gu, ''))) {
    return notSecret;
  }
  const classification = classifyWords(splitNameIntoWords(name));
  return classification.meaning === 'notSecret' &&
    /\p{L}[^\p{L}]*[\p{Lu}_\W]/u.test(name) &&
    !containsWordKey(name)
    ? classifyNameWithoutSeparators(name)
    : classification;
}

/** Names with the word "key" are only split at their separators: "key" is often not a secret, as in a table's key. */
const containsWordKey = (name: string): boolean => splitNameIntoWords(name).includes('key');

function classifyNameWithoutSeparators(name: string): NameClassification {
  const classification = classifyWords(splitNameWithoutSeparators(name));
  // Without separators, adjacent words may form another word by chance, so only certain results count.
  return classification.isSure ? classification : notSecret;
}

function classifyWords(words: readonly string[]): NameClassification {
  const lastWord = words.at(-1) ?? '';
  const isPassword = words.some((word) => passwordWords.has(word));
  const isToken = words.some((word) => tokenWords.has(word)) || containsSecretPhrase(words);
  const keyIndex = words.indexOf('key');
  // A customer key is harmless, unless it is an encryption key (SSE-C: server-side encryption with customer keys).
  const isKey = keyIndex >= 0 && (!harmlessKeyWords.has(words[keyIndex - 1] ?? '') || words.includes('sse'));
  if (lastWord === 'auth' && words.at(-2) !== 'o') {
    return { meaning: 'method', isSure: false, isSwitch: startsWithSwitchWord(words) };
  }
  if (words.includes('service') && lastWord === 'account') {
    return { ...notSecret, meaning: 'identity' };
  }
  if ((!isPassword && !isToken && !isKey) || describingWords.has(lastWord) || containsPassThrough(words)) {
    return notSecret;
  }
  const isSure = isPassword || isToken || isSecretKey(words, keyIndex);
  const classification = { isSure, isSwitch: startsWithSwitchWord(words) };
  if (locationWords.has(lastWord)) {
    return { ...classification, meaning: 'location' };
  }
  const isEntityName = entityWords.has(lastWord) || (lastWord === 'id' && !words.some(hasSecretId));
  return !isPassword && isEntityName ? notSecret : { ...classification, meaning: 'secret' };
}

/** True for a word such as `token` whose ID is as secret as the thing itself. The ID of a private key is not secret. */
const hasSecretId = (word: string): boolean => tokenWords.has(word) && word !== 'private' && word !== 'priv';

const startsWithSwitchWord = (words: readonly string[]): boolean => switchWords.has(words[0] ?? '');

const containsPassThrough = (words: readonly string[]): boolean =>
  words.includes('pass') && words.includes('through');

const secretPhrases = new Set([
  'access code',
  'auth code',
  'authorization code',
  'verification code',
  'security code',
  'session id',
  'auth data',
  'encrypted parameter',
  'encrypted data',
  'user info',
]);

const containsSecretPhrase = (words: readonly string[]): boolean =>
  words.some((word, index) => secretPhrases.has(`${words[index - 1] ?? ''} ${word}`));

const wordsBeforeSecretKey = new Set([
  'access',
  'account',
  'api',
  'secret',
  'private',
  'shared',
  'storage',
  'encryption',
  'master',
]);

const isSecretKey = (words: readonly string[], keyIndex: number): boolean =>
  wordsBeforeSecretKey.has(words[keyIndex - 1] ?? '');

/**
 * How certain it must be that a name indicates a secret. Prose needs `sure`: there, "key: …" is usually not a secret.
 */
export type Certainty = 'possible' | 'sure';

/** True if a value with this name may be secret, depending on the value. */
export const isPossibleSecretName = (name: string): boolean => classifyName(name).meaning !== 'notSecret';

/**
 * True if a value is secret because of its name. In prose, use the certainty `sure` to count only unambiguous names.
 */
export function isSecretByName(name: string, value: string, certainty: Certainty = 'possible'): boolean {
  const { meaning, isSure, isSwitch } = classifyName(name);
  if (meaning === 'notSecret' || value === '' || (certainty === 'sure' && !isSure)) {
    return false;
  }
  if (
    isTrueOrFalse(value) ||
    (isSwitch && /^(yes|no|on|off|\d)$/i.test(value)) ||
    isKeyFilePath(name, value)
  ) {
    return false;
  }
  switch (meaning) {
    case 'location':
      return !isLocation(value);
    case 'method':
      return !signInMethods.test(value);
    case 'identity':
      return !/^[\w.+-]{1,128}@[\w-]+(\.[\w-]+)+$/.test(value);
    case 'secret':
      return true;
  }
}

const isTrueOrFalse = (value: string): boolean => /^(true|false)$/i.test(value);

/** Some drivers expect the path of a key file in a field named like the key itself, such as `sslkey`. */
const isKeyFilePath = (name: string, value: string): boolean =>
  /key$/i.test(name) && isFileName(value) && isLocation(value);

/** True for a URL, a path or a file name, but not for a long text that only begins like one. */
export function isLocation(value: string): boolean {
  if (value.length > maxPathLength || /[\r\n{}"]/.test(value)) {
    return false;
  }
  if (/^[A-Za-z][\w+.-]*:\/\/|^arn:|^\\\\|^[A-Za-z]:[\\/]/.test(value)) {
    return true;
  }
  const looksEncoded = /^[A-Za-z0-9+/=]{32,}$/.test(value) && /\d/.test(value) && /[A-Z]/.test(value);
  const isPath = /^(\.{0,2}\/|~)/.test(value) && !looksEncoded;
  return isPath || isFileName(value);
}

const isFileName = (value: string): boolean =>
  /^[\w. /\\:~-]{1,200}\.(json|pem|p8|p12|pfx|key|jks|keytab|crt|cer|der|ppk|txt|properties|conf|ini|pub|kdb|sso|yaml|yml)$/i.test(
    value,
  );

const maxPathLength = 1024;

/** True for a value that is public although it is inside something secret, such as the user inside `credentials`. */
export function isPublicInsideSecret(name: string, value: string): boolean {
  const { meaning } = classifyName(name);
  const lastWord = splitNameIntoWords(name).at(-1) ?? '';
  return meaning === 'location'
    ? isLocation(value)
    : meaning === 'notSecret' &&
        [describingWords, entityWords, locationWords, publicWords].some((words) => words.has(lastWord));
}

const publicWords = new Set(['id', 'expires', 'in', 'database', 'source', 'mechanism']);

/** Names of fields whose text describes a whole connection, including secrets. */
const connectionStringNamePattern =
  /^(connection|connectionstring|connectionuri|connectionurl|connstr|connstring|connectstring|connectionparams|dsn|jdbcurl|jdbcconnectionstring|odbcconnectionstring|uiparams|config)$/;

export const isConnectionStringName = (name: string): boolean =>
  connectionStringNamePattern.test(normalizeName(name));

/** True for a field that is encrypted if its value is a string (platform-facts.md, 2.5). */
export const isEncryptedTextName = (name: string): boolean =>
  /^(parameters|protectedparameters|encryptedparameters|connectionparameters)$/.test(normalizeName(name));

/** True for a member that contains the settings of a connector. Only inside these can a name indicate a secret. */
export const isConnectorSettingsName = (name: string): boolean =>
  connectorSettingsStartPattern.test(name) &&
  /^(connections?|connectionstring|connectiondata|configoptions|globaltableconfigoptions|parameters|protectedparameters|connectionparameters|uiparams|credentials?)$/.test(
    normalizeName(name),
  );

/** How these names start. Rules out most other names quickly. */
const connectorSettingsStartPattern =
  /^[^a-z]*(?:c[^a-z]*(?:o[^a-z]*n|r[^a-z]*e[^a-z]*d)|g|p[^a-z]*(?:a|r[^a-z]*o)|u)/i;

const normalizeName = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
