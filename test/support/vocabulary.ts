/** A word or name that this project avoids, and what to use instead. */
export interface Finding {
  /** The line number, starting at 1. */
  readonly line: number;
  readonly found: string;
  readonly use: string;
}

/** Avoided words in comments, names and texts, in all their forms. */
const avoidedWords: readonly (readonly [words: string, use: string])[] = [
  ['tell|tells|told|telling', 'say, show, report or know'],
  ['anew', 'again'],
  ['whoever', 'anyone who, or the one meant'],
  ['lest', 'so that … not'],
  ['take back|takes back|taking back|took back|taken back', 'undo, or roll back what stopped'],
  ['everybody', 'everyone'],
  ['datamodel studio explorer', 'the Connections view'],
  ['whilst|amid|amidst|therein|thereof|wherein', 'while, during, in it'],
  ['behaviour|behaviours', 'behavior'],
  ['colour|colours|coloured', 'color'],
  ['catalogue|catalogues', 'catalog'],
  ['licence|licences', 'license'],
  ['localise|localised|localisation', 'localize'],
  ['normalise|normalised|normalises', 'normalize'],
  ['recognise|recognised|recognises', 'recognize'],
  ['parenthesise|parenthesised', 'parenthesize'],
  ['synchronise|synchronised|synchronisation', 'synchronize'],
  ['initialise|initialised|initialises', 'initialize'],
  ['serialise|serialised|serialises', 'serialize'],
  ['unrecognised|organise|organised', 'unrecognized, organize'],
];

/** Names of an earlier version that are hard to understand. */
const avoidedNames: readonly (readonly [name: string, use: string])[] = [
  ['saysSent', 'matchesRequest'],
  ['saysMade', 'matchesCreated'],
  ['settleOnly', 'reconcileOnly'],
  ['lookAgain', 'reconcile'],
  ['ownWork', 'verifyUnchanged'],
  ['Endings', 'RecoveryQueue'],
  ['endStopped', 'recover'],
  ['giveUp', 'abandon'],
  ['undoOf', 'planUndo'],
  ['ofToday', 'translateIds'],
  ['rulesInPlace', 'replacedRules'],
  ['GuardsBack', 'DenyRuleRestorer'],
  ['affectedBy', 'invalidations'],
  ['preImages', 'snapshots'],
  ['madeBy|MadeValue', 'OutputRef'],
  ['PlanTicket', 'PlanHash'],
  ['isServers', 'isServerManaged'],
  ['transplant', 'adaptToTarget'],
  ['evenIfRenewed', 'retryOnSessionReplaced'],
  ['handedOver', 'injectedSandbox'],
  ['UnseenEnds', 'UnacknowledgedResults'],
  ['setLooker|somebodyLooks', 'setVisible, isVisible'],
  ['onDidMeetTrouble', 'onDidFail'],
  ['longestRise', 'longestIncreasingSubsequence'],
];

/** Identifiers and words of file formats that are allowed, because released versions or callers use them. */
const allowedIdentifiers = /\b(?:build-behaviour|buildBehaviour)\b/g;

/** Matches functions whose names end in `Of`: names should start with a verb, `getColumn` rather than `columnOf`. */
const functionsEndingInOf =
  /\bfunction\*?\s+(\w+Of)\b|\b(?:const|let)\s+(\w+Of)\b[^=\n]*=\s*(?:async\s*)?(?:\(|<|function\b|\w+\s*=>)|^\s+(?:(?:static|async|override|private|get)\s+)*#?(\w+Of)(?:<[^(\n]*>)?\(.*\{$/g;

const joinAlternatives = (entries: readonly (readonly [string, string])[]): string =>
  entries.map(([words]) => words).join('|');

const wordPattern = new RegExp(`\\b(?:${joinAlternatives(avoidedWords)})\\b`, 'gi');
const namePattern = new RegExp(`\\b(?:${joinAlternatives(avoidedNames)})\\b`, 'g');

const getReplacement = (entries: readonly (readonly [string, string])[], found: string): string =>
  entries.find(([words]) => words.split('|').includes(found))?.[1] ?? '';

/** Splits names into words, so that these are checked like words of a text: `toldBy` becomes `told By`. */
const splitNames = (text: string): string => text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ');

/** Finds avoided words and names in a source text, in comments, names and strings alike. */
export function findAvoided(text: string): readonly Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const line = index + 1;
    const checkedText = content.replace(allowedIdentifiers, '');
    return [
      ...Array.from(splitNames(checkedText).matchAll(wordPattern), ([found]) => ({
        line,
        found,
        use: getReplacement(avoidedWords, found.toLowerCase()),
      })),
      ...Array.from(checkedText.matchAll(namePattern), ([found]) => ({
        line,
        found,
        use: getReplacement(avoidedNames, found),
      })),
      ...Array.from(checkedText.matchAll(functionsEndingInOf), ([, ...names]) => ({
        line,
        found: names.find((name) => name !== undefined) ?? '',
        use: 'a verb: get…, find…, read…',
      })),
    ];
  });
}
