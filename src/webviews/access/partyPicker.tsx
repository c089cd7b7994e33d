import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { PageMembershipSource, PageParty } from '../protocol/access.ts';
import { formatRule } from '../protocol/ruleFormat.ts';
import { readRules } from '../../security/readRules.ts';
import type { Party } from '../../security/columnAccess.ts';
import { t } from '../shared/t.ts';
import { type PartyLookup, usePartyLookup } from '../shared/usePartyLookup.ts';
import { useRowFocus } from '../shared/useRowFocus.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import { type UserLookup, type UserLookups, isUnidentified, withMemberGroups } from './accessView.ts';

interface PartyPickerProps {
  readonly label: string;
  readonly party: Party;
  readonly parties: readonly PageParty[];
  readonly formatter: AccessFormatter;
  readonly partyLookup: PartyLookup;
  readonly userLookups: UserLookups;
  /** Absent if there is nowhere to import to. */
  readonly importMembership: (() => void) | undefined;
  /** Looks for a user again that was not found. */
  readonly searchAgain: (user: string) => void;
  readonly onChange: (party: Party) => void;
  readonly onRemove?: () => void;
  /** True for the picker that gets the keyboard focus when the page is opened. */
  readonly autoFocus?: true;
}

/** Returns the match if there is only one: parties with the same name must be identified by ID. */
const findOnlyMatch = (matches: readonly PageParty[]): PageParty | undefined =>
  matches.length === 1 ? matches[0] : undefined;

/** Selects a user with groups, groups, or everyone else. Known names are suggested; any text is accepted as a user. */
export function PartyPicker(props: PartyPickerProps) {
  const { label, party, parties, formatter, partyLookup, userLookups, onChange, onRemove, autoFocus } = props;
  const id = useId();
  const userInput = useRef<HTMLInputElement>(null);
  /** The text of the user field while it is being typed: the page is rendered again when names or rules arrive. */
  const [typedUser, setTypedUser] = useState<string>();
  useEffect(() => {
    // A page that is restored with the window must not take the focus from the active editor.
    if (autoFocus === true && document.hasFocus()) {
      userInput.current?.focus();
    }
  }, [autoFocus]);
  const { userId, groupIds } = party;
  const container = useRef<HTMLFieldSetElement>(null);
  const rememberFocus = useRowFocus(container, groupIds);
  /** Finds a party by its ID, or else by its name if no other party of the type has the same one. */
  const findParty = (type: PageParty['type'], text: string): PageParty | undefined =>
    parties.find((party) => party.type === type && party.id === text) ??
    findOnlyMatch(parties.filter((party) => party.type === type && party.name === text));
  const setUser = (text: string): void => {
    const trimmedText = text.trim();
    setTypedUser(undefined);
    // Another user has other groups.
    onChange({
      ...(trimmedText === '' ? {} : { userId: findParty('user', trimmedText)?.id ?? trimmedText }),
      groupIds: [],
    });
  };
  const setGroups = (ids: readonly string[]): void =>
    onChange({ ...(userId === undefined ? {} : { userId }), groupIds: [...new Set(ids)] });
  const getPartyName = (type: PageParty['type'], partyId: string): string =>
    findParty(type, partyId)?.name ?? partyId;
  return (
    <fieldset class="party" ref={container}>
      <legend>{label}</legend>
      <p class="chosen">
        <strong>
          {isUnidentified(party, userLookups)
            ? userId
            : formatter.formatParty(withMemberGroups(party, userLookups))}
        </strong>
        {onRemove === undefined ? null : (
          <button
            type="button"
            class="icon-button"
            aria-label={t('Stop Comparing')}
            title={t('Stop Comparing')}
            onClick={onRemove}
          >
            <span class="codicon codicon-close" aria-hidden="true" />
          </button>
        )}
      </p>
      <label>
        {t('User')}
        <input
          ref={userInput}
          type="text"
          list={`${id}-users`}
          value={typedUser ?? (userId === undefined ? '' : getPartyName('user', userId))}
          placeholder={t('No specific user')}
          onInput={({ currentTarget }) => setTypedUser(currentTarget.value)}
          onChange={({ currentTarget }) => setUser(currentTarget.value)}
          // No change event follows if the text is the same as before.
          onBlur={() => setTypedUser(undefined)}
        />
      </label>
      <Suggestions id={`${id}-users`} parties={parties.filter(({ type }) => type === 'user')} />
      {userId === undefined ? null : (
        <MembershipNote
          userLookup={userLookups.get(userId)}
          importMembership={props.importMembership}
          searchAgain={() => props.searchAgain(userId)}
          selectUser={(name) => {
            // The button disappears with the note.
            userInput.current?.focus();
            setUser(name);
          }}
          getGroupName={(groupId) => getPartyName('group', groupId)}
        />
      )}
      <GroupInput
        {...{ id, parties, partyLookup }}
        findGroupId={(text) => findParty('group', text)?.id}
        onAdd={(groupId) => setGroups([...groupIds, groupId])}
      />
      {groupIds.length === 0 ? null : (
        <ul class="chips" aria-label={userId === undefined ? t('Groups') : t('Additional groups')}>
          {groupIds.map((groupId) => (
            <li key={groupId} data-row>
              {getPartyName('group', groupId)}
              <button
                type="button"
                class="icon-button"
                aria-label={t('Remove {0}', getPartyName('group', groupId))}
                onClick={() => {
                  rememberFocus();
                  setGroups(groupIds.filter((otherId) => otherId !== groupId));
                }}
              >
                <span class="codicon codicon-close" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {userId === undefined ? null : (
        <AppliedRules rules={userLookups.get(userId)?.appliedRules} getPartyName={getPartyName} />
      )}
    </fieldset>
  );
}

interface MembershipNoteProps {
  readonly userLookup: UserLookup | undefined;
  readonly importMembership: (() => void) | undefined;
  readonly searchAgain: () => void;
  readonly selectUser: (name: string) => void;
  readonly getGroupName: (groupId: string) => string;
}

/**
 * Shows the groups of a user and where they are known from. If the groups are unknown, offers to import group
 * memberships. If there is no such user, offers to use a similar name or to search again.
 */
function MembershipNote(props: MembershipNoteProps) {
  const { userLookup, importMembership, searchAgain, selectUser, getGroupName } = props;
  if (userLookup === undefined) {
    return (
      <p class="muted" role="status">
        {t("Loading this user's groups…")}
      </p>
    );
  }
  const { groupIds, source = 'instance', note, suggestion } = userLookup;
  if (userLookup.isUnidentified === true) {
    return (
      <p class="status" role="status">
        <span class="codicon codicon-warning warning" aria-hidden="true" /> {note}{' '}
        {suggestion === undefined ? null : (
          <button type="button" class="link" onClick={() => selectUser(suggestion)}>
            {t('Use {0}', suggestion)}
          </button>
        )}{' '}
        <button type="button" class="link" onClick={searchAgain}>
          {t('Search Again')}
        </button>
      </p>
    );
  }
  if (groupIds === undefined) {
    return (
      <p class="status" role="status">
        <span class="codicon codicon-warning warning" aria-hidden="true" />{' '}
        {note ?? t("Groups unknown: the instance doesn't report them.")}{' '}
        {importMembership === undefined ? null : (
          <button type="button" class="link" onClick={importMembership}>
            {t('Import Group Membership…')}
          </button>
        )}
      </p>
    );
  }
  const names = groupIds.map(getGroupName).join(', ');
  return (
    <p class="muted" role="status">
      {groupIds.length === 0 ? inNoGroupMessages[source]() : inGroupsMessages[source](names)}
    </p>
  );
}

/** Lists the rules that the server reports for a user, to compare them with the access that the page computes. */
function AppliedRules({
  rules,
  getPartyName,
}: {
  readonly rules: readonly unknown[] | undefined;
  readonly getPartyName: (type: PageParty['type'], id: string) => string;
}) {
  if (rules === undefined) {
    return null;
  }
  const lines = readRules(rules).map(({ table, column, grant, parties }) => ({
    column: `${table}.${column}`,
    text: formatRule(
      {
        grant,
        parties: parties.map(({ type, id = '' }) => ({
          type,
          name: type === 'default' ? '' : getPartyName(type, id),
        })),
      },
      t,
    ),
  }));
  return (
    <details class="applied">
      <summary>
        {lines.length === 1
          ? t('1 rule applied by the server')
          : t('{0} rules applied by the server', lines.length)}
      </summary>
      <ul>
        {lines.map(({ column, text }, index) => (
          <li key={index}>
            {column} <span class="muted">{text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const inGroupsMessages: Readonly<Record<PageMembershipSource, (names: string) => string>> = {
  instance: (names) => t('In {0}, according to the instance.', names),
  imported: (names) => t('In {0}, according to the imported list.', names),
  rules: (names) => t('In {0}, according to the rules that the server lists for this user.', names),
};

const inNoGroupMessages: Readonly<Record<PageMembershipSource, () => string>> = {
  instance: () => t('Not in any group, according to the instance.'),
  imported: () => t('Not in any group, according to the imported list.'),
  rules: () => t('Not in any group with rules, according to the rules that the server lists for this user.'),
};

/** The maximum number of suggestions to render; a longer list would slow down the page. */
const maxSuggestions = 2000;

function Suggestions({ id, parties }: { readonly id: string; readonly parties: readonly PageParty[] }) {
  return (
    <datalist id={id}>
      {parties.slice(0, maxSuggestions).map((party) => (
        <option key={party.id} value={party.name} label={party.name === party.id ? undefined : party.id} />
      ))}
    </datalist>
  );
}

interface GroupInputProps {
  readonly id: string;
  readonly parties: readonly PageParty[];
  readonly partyLookup: PartyLookup;
  readonly findGroupId: (text: string) => string | undefined;
  readonly onAdd: (groupId: string) => void;
}

/** Adds a group by name or ID. If it is not known to the page, the host looks it up. */
function GroupInput({ id, parties, partyLookup, findGroupId, onAdd }: GroupInputProps) {
  const [text, setText] = useState('');
  const addGroup = (groupId: string): void => {
    onAdd(groupId);
    setText('');
    groupLookup.clear();
  };
  const groupLookup = usePartyLookup(partyLookup, addGroup);
  const submit = (): void => {
    const name = text.trim();
    const groupId = findGroupId(name);
    if (groupId !== undefined) {
      addGroup(groupId);
    } else if (name !== '') {
      groupLookup.start('group', name);
    }
  };
  return (
    <>
      <label>
        {t('In group')}
        <span class="joined">
          <input
            type="text"
            list={`${id}-groups`}
            value={text}
            placeholder={t('Group name')}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              groupLookup.clear();
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                submit();
              }
            }}
          />
          <button type="button" class="button" onClick={submit}>
            {t('Add')}
          </button>
        </span>
      </label>
      <Suggestions id={`${id}-groups`} parties={parties.filter(({ type }) => type === 'group')} />
      <p class="status" role="status">
        {groupLookup.problem}
      </p>
    </>
  );
}
