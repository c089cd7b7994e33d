import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { PageParty } from '../protocol/access.ts';
import { toMatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { Button, IconButton, Dropdown } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { type PartyLookup, usePartyLookup } from '../shared/usePartyLookup.ts';
import type { MatrixModel } from './matrixModel.ts';

interface AddPartyProps {
  readonly model: MatrixModel;
  readonly partyLookup: PartyLookup;
  readonly close: () => void;
}

/** Adds a row for a user or group. If it is not known to the page, the host looks it up, because rules need its ID. */
export function AddParty({ model, partyLookup, close }: AddPartyProps): JSX.Element {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [type, setType] = useState<PageParty['type']>('group');
  const [text, setText] = useState('');
  useEffect(() => field.current?.focus(), []);
  const presentKeys = new Set(model.allParties.map(({ key }) => key));
  const knownParties = model.partyDirectory.value.parties.filter(
    (party) => party.type === type && party.isNameOnly !== true,
  );
  const addParty = (partyId: string, name: string): void => {
    const party = toMatrixParty({ type, id: partyId });
    if (presentKeys.has(party.key)) {
      model.announcement.value = t('{0} already has a row.', name);
    } else {
      model.partyDirectory.value = model.partyDirectory.value.withParties([{ type, id: partyId, name }]);
      model.replaceDraft({ ...model.draft, parties: [...model.draft.parties, party] });
      model.announcement.value = t('{0} was added. The row is kept once it has a rule.', name);
    }
    const [first] = model.visibleMatrix.value.columns;
    model.reveal(party.key, first?.key ?? '');
    close();
  };
  const lookup = usePartyLookup(partyLookup, addParty);
  const submit = (): void => {
    const searchText = text.trim();
    const matches = knownParties.filter((party) => party.name === searchText || party.id === searchText);
    const [onlyMatch] = matches;
    if (onlyMatch !== undefined && matches.length === 1) {
      addParty(onlyMatch.id, onlyMatch.name);
    } else if (searchText !== '') {
      lookup.start(type, searchText);
    }
  };
  return (
    <div class="adder" role="group" aria-label={t('Add User or Group')}>
      <Dropdown
        label={t('Type')}
        value={type}
        choices={[
          { value: 'group', label: t('Group') },
          { value: 'user', label: t('User') },
        ]}
        onChange={(value) => {
          setType(value === 'user' ? 'user' : 'group');
          lookup.clear();
        }}
      />
      <input
        ref={field}
        type="text"
        aria-label={type === 'group' ? t('Group name or ID') : t('User name, email address, or ID')}
        placeholder={type === 'group' ? t('Group name or ID') : t('User name, email address, or ID')}
        list={`${id}-known`}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          lookup.clear();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            submit();
          } else if (event.key === 'Escape') {
            close();
          }
        }}
      />
      <datalist id={`${id}-known`}>
        {knownParties
          .filter((party) => !presentKeys.has(`${party.type}:${party.id}`))
          .slice(0, 2000)
          .map((party) => (
            <option
              key={party.id}
              value={party.name}
              label={party.name === party.id ? undefined : party.id}
            />
          ))}
      </datalist>
      <Button label={t('Add')} isPrimary onClick={submit} />
      <IconButton icon="close" label={t('Close')} onClick={close} />
      <span role="status">{lookup.problem}</span>
    </div>
  );
}
