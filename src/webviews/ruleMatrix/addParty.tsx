import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SeenParty } from '../../protocol/access.ts';
import { matrixParty } from '../../security/matrix/ruleMatrix.ts';
import { Button, IconButton, Select } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { type GroupLookUp, useGroupLookUp } from '../shared/useGroupLookUp.ts';
import type { MatrixModel } from './model.ts';

interface AddPartyProps {
  readonly model: MatrixModel;
  readonly lookUp: GroupLookUp;
  readonly close: () => void;
}

/** Adds a row: a user by identifier or a name that was seen, a group that was seen or that the server finds by name. */
export function AddParty({ model, lookUp, close }: AddPartyProps): JSX.Element {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [type, setType] = useState<SeenParty['type']>('group');
  const [text, setText] = useState('');
  useEffect(() => field.current?.focus(), []);
  const present = new Set(model.allParties.map(({ key }) => key));
  const known = model.names.value.all.filter((party) => party.type === type);
  const take = (partyId: string, name: string): void => {
    const party = matrixParty({ type, id: partyId });
    if (present.has(party.key)) {
      model.said.value = t('{0} has a row already.', name);
    } else {
      model.names.value = model.names.value.with([{ type, id: partyId, name }]);
      model.change({ ...model.draft, parties: [...model.draft.parties, party] });
      model.said.value = t('{0} has a row now; it is kept once a cell of it has a rule.', name);
    }
    const [first] = model.shown.value.columns;
    model.reveal(party.key, first?.key ?? '');
    close();
  };
  const group = useGroupLookUp(lookUp, take);
  const submit = (): void => {
    const wanted = text.trim();
    const found = known.find((party) => party.name === wanted || party.id === wanted);
    if (found !== undefined) {
      take(found.id, found.name);
    } else if (wanted !== '' && type === 'user') {
      take(wanted, wanted);
    } else if (wanted !== '') {
      group.ask(wanted);
    }
  };
  const { missing } = group;
  return (
    <div class="adder" role="group" aria-label={t('Add Party')}>
      <Select
        label={t('Kind of party')}
        value={type}
        choices={[
          { value: 'group', label: t('Group') },
          { value: 'user', label: t('User') },
        ]}
        onChange={(value) => setType(value === 'user' ? 'user' : 'group')}
      />
      <input
        ref={field}
        type="text"
        aria-label={type === 'group' ? t('Name of a group') : t('Identifier of a user')}
        placeholder={type === 'group' ? t('Name of a group') : t('Identifier of a user')}
        list={`${id}-known`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            submit();
          } else if (event.key === 'Escape') {
            close();
          }
        }}
      />
      <datalist id={`${id}-known`}>
        {known
          .filter((party) => !present.has(`${party.type}:${party.id}`))
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
      <span role="status">
        {missing === undefined ? null : (
          <>
            {missing.problem ?? t('There is no group {0}.', missing.name)}{' '}
            <button type="button" class="link" onClick={() => take(missing.name, missing.name)}>
              {t('Take it for an identifier')}
            </button>
          </>
        )}
      </span>
    </div>
  );
}
