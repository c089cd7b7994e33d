/**
 * Words that mean a password. A name with one of them is secret, unless its last word is a describing word
 * (`passwordPolicy`).
 */
const passwordWords = toWordSet(`
  password passwd passwort pasword passphrase passcode pwd pswd psw pw pass secret credential cred
  kennwort contrasena contraseña motdepasse senha wachtwoord lösenord losenord haslo hasło parola heslo salasana
`);

/** Words for other secrets, such as tokens and signatures. */
const tokenWords = toWordSet(`
  token sas sig signature pat jwt bearer assertion authorization cookie otp totp pin private priv apikey passkey pkey privkey
  jsessionid phpsessid sessionid sessid pfx keyblob
`);

/** Last words of names that describe a property of a secret, which is not secret. */
const describingWords = toWordSet(`
  type kind mode method mechanism name column field policy expiry expire expiration expired expiring age ttl timeout
  lifetime length size count min max limit format encoding algorithm version provider required enabled used
  label index prefix suffix issuer audience scope manager rotation strength class status state family
  attribute integration fingerprint checksum space spaces caching cache refresh interval separator delimiter
  position order level usage mapping callback grant interactive authentication authenticator pattern source
`);

/** Last words of names that refer to a user, a host or another entity: the field contains no key or token. */
const entityWords = toWordSet(`
  user username login email mail host hostname server port database schema table role domain region vault project
  tenant warehouse service network link ip zone account client owner endpoint dns catalog
`);

/** Last words of names that refer to a location. The value shows whether it really is a location or a secret. */
const locationWords = toWordSet(`
  path file filename filepath location url uri endpoint href arn store keystore truststore keytab pem dir directory
  folder certificate cert ca crt jks address resource
`);

/** Words before "key" that indicate no secret: keys of tables, and public keys. */
const harmlessKeyWords = toWordSet(`
  primary foreign partition partitioning sort sorting cluster clustering distribution dist unique row range composite natural
  surrogate business join lookup group grouping cache object routing candidate alternate dedup date time column table
  map merge parent child record order product customer public shard sharding hash business dimension fact bucket
  routing message idempotency foreignkey hot short translation label
`);

/** Other words needed to split names without separators: `accesskey`, `dbpass`, `clientsecret`. */
const componentWords = toWordSet(`
  access account api app application auth authentication aws azure admin administrator basic client conn connect connection
  consumer db db2 data database default encryption encrypt encrypted ftp gcp google http https identity import java
  jdbc key keyword keyboard ldap license login master my mysql odbc ora oauth oauth2 oracle personal pg postgres
  proxy read refresh root rsa s3 security server service session sftp shared sign signing smtp snowflake sql ssh ssl
  storage store string subscription sys system tls trust trusted truststore user web write x new old current id
  secondary str file through bypass compass passport passive passing passthrough
`);

export const vocabulary = {
  passwordWords,
  tokenWords,
  describingWords,
  entityWords,
  locationWords,
  harmlessKeyWords,
} as const;

const knownWords: ReadonlySet<string> = new Set(
  [
    passwordWords,
    tokenWords,
    describingWords,
    entityWords,
    locationWords,
    harmlessKeyWords,
    componentWords,
  ].flatMap((set) => [...set]),
);

/** Matches words that are distinctive enough to be found inside a longer word. */
const embeddedSecretPattern =
  /password|passwd|passwort|passphrase|passcode|kennwort|contrase[nñ]a|motdepasse|wachtwoord|l[oö]senord|credential/;
const secretSuffixPattern = /(secret|token|pwd|(?:api|access|secret|private|account)key)s?$/;

/**
 * The number of characters of a name that are split into words; a longer name counts as secret (see `classifyName`).
 */
export const maxNameLength = 128;

/**
 * Splits a name into words, in lower case; known words in the singular. `clientSecret`, `client_secret`,
 * `ClientSecret`, `CLIENT-SECRET` and `clientsecret` have the same words.
 */
export function splitNameIntoWords(name: string): readonly string[] {
  return name
    .slice(0, maxNameLength)
    .normalize('NFKC')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !/^\d+$/.test(word))
    .flatMap(splitWord);
}

/** Splits a name into words, ignoring its separators, for unusual spellings such as `PassWord` and `to_ken`. */
export const splitNameWithoutSeparators = (name: string): readonly string[] =>
  splitWord(
    name
      .slice(0, maxNameLength)
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}]+/gu, ''),
  );

/** Splits a word without separators into known words, or at the secret word in it; else returns it unchanged. */
function splitWord(word: string): readonly string[] {
  const parts = segmentWord(word);
  if (parts !== undefined) {
    return parts;
  }
  const secretMatch = embeddedSecretPattern.exec(word) ?? secretSuffixPattern.exec(word);
  if (secretMatch === null) {
    return [word];
  }
  const secretWord = toSingular(secretMatch[0]);
  const remainder = word.slice(secretMatch.index + secretMatch[0].length).replace(/^s$/, '');
  return [word.slice(0, secretMatch.index), ...(segmentWord(secretWord) ?? [secretWord]), remainder].filter(
    (part) => part !== '',
  );
}

/** Splits a word into as few known words as possible; `undefined` if it does not consist of known words. */
function segmentWord(word: string): readonly string[] | undefined {
  const shortestSplits: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = Math.max(0, end - maxWordLength); start < end; start += 1) {
      const prefixWords = shortestSplits[start];
      const part = toSingular(word.slice(start, end));
      const isShorter =
        prefixWords !== undefined && prefixWords.length + 1 < (shortestSplits[end]?.length ?? Infinity);
      if (isShorter && knownWords.has(part)) {
        shortestSplits[end] = [...prefixWords, part];
      }
    }
  }
  return shortestSplits[word.length];
}

const maxWordLength = 16;

/** Removes a plural "s", but not from words such as `pass` and `address`. */
const toSingular = (word: string): string =>
  !knownWords.has(word) && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

function toWordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
