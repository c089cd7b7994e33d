import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SeenParty } from '../../protocol/access.ts';
import type { Party } from '../../security/columnAccess.ts';
import { t } from '../shared/t.ts';
import { type GroupLookUp, useGroupLookUp } from '../shared/useGroupLookUp.ts';
import type { Sentences } from './sentences.ts';

interface PartyPickerProps {
  readonly label: string;
  readonly party: Party;
  readonly parties: readonly SeenParty[];
  readonly sentences: Sentences;
  readonly lookUp: GroupLookUp;
  readonly change: (party: Party) => void;
  readonly remove?: () => void;
  /** Who opens the page has somebody in mind: the keyboard begins here. */
  readonly hasFocus?: true;
}

/** Chooses a user with groups, a group, or everybody else; names that were seen are proposed, any text is taken. */
export function PartyPicker(props: PartyPickerProps) {
  const { label, party, parties, sentences, lookUp, change, remove, hasFocus } = props;
  const id = useId();
  const user = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // One page among others that come back with the window takes the focus from none of them.
    if (hasFocus === true && document.hasFocus()) {
      user.current?.focus();
    }
  }, [hasFocus]);
  const { userId, groupIds } = party;
  const named = (type: SeenParty['type'], text: string): SeenParty | undefined =>
    parties.find((each) => each.type === type && (each.name === text || each.id === text));
  const setUser = (text: string): void => {
    const typed = text.trim();
    change({ ...(typed === '' ? {} : { userId: named('user', typed)?.id ?? typed }), groupIds });
  };
  const setGroups = (ids: readonly string[]): void =>
    change({ ...(userId === undefined ? {} : { userId }), groupIds: [...new Set(ids)] });
  const nameOf = (type: SeenParty['type'], partyId: string): string => named(type, partyId)?.name ?? partyId;
  return (
    <fieldset class="party">
      <legend>{label}</legend>
      <p class="chosen">
        <strong>{sentences.party(party)}</strong>
        {remove === undefined ? null : (
          <button
            type="button"
            class="icon-button"
            aria-label={t('Stop comparing')}
            title={t('Stop comparing')}
            onClick={remove}
          >
            <span class="codicon codicon-close" aria-hidden="true" />
          </button>
        )}
      </p>
      <label>
        {t('User')}
        <input
          ref={user}
          type="text"
          list={`${id}-users`}
          value={userId === undefined ? '' : nameOf('user', userId)}
          placeholder={t('Nobody in particular')}
          onChange={({ currentTarget }) => setUser(currentTarget.value)}
        />
      </label>
      <Suggestions id={`${id}-users`} parties={parties.filter(({ type }) => type === 'user')} />
      <GroupInput
        {...{ id, parties, lookUp }}
        known={(text) => named('group', text)?.id}
        add={(each) => setGroups([...groupIds, each])}
      />
      {groupIds.length === 0 ? null : (
        <ul class="chips" aria-label={t('Groups')}>
          {groupIds.map((groupId) => (
            <li key={groupId}>
              {nameOf('group', groupId)}
              <button
                type="button"
                class="icon-button"
                aria-label={t('Remove {0}', nameOf('group', groupId))}
                onClick={() => setGroups(groupIds.filter((each) => each !== groupId))}
              >
                <span class="codicon codicon-close" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

function Suggestions({ id, parties }: { readonly id: string; readonly parties: readonly SeenParty[] }) {
  return (
    <datalist id={id}>
      {parties.map((party) => (
        <option key={party.id} value={party.name} label={party.name === party.id ? undefined : party.id} />
      ))}
    </datalist>
  );
}

interface GroupInputProps {
  readonly id: string;
  readonly parties: readonly SeenParty[];
  readonly lookUp: GroupLookUp;
  readonly known: (text: string) => string | undefined;
  readonly add: (groupId: string) => void;
}

/** Adds a group: one that was seen, else one that the server finds by that name. */
function GroupInput({ id, parties, lookUp, known, add }: GroupInputProps) {
  const [text, setText] = useState('');
  const take = (groupId: string): void => {
    add(groupId);
    setText('');
    group.forget();
  };
  const group = useGroupLookUp(lookUp, take);
  const { missing } = group;
  const submit = (): void => {
    const name = text.trim();
    const groupId = known(name);
    if (groupId !== undefined) {
      take(groupId);
    } else if (name !== '') {
      group.ask(name);
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
            placeholder={t('Name of a group')}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
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
        {missing === undefined ? null : (
          <>
            {missing.problem ?? t('There is no group {0}.', missing.name)}{' '}
            <button type="button" class="link" onClick={() => take(missing.name)}>
              {t('Take it for an identifier')}
            </button>
          </>
        )}
      </p>
    </>
  );
}
