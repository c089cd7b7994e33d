import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getFormPartyKey } from '../../security/form/readRuleFields.ts';
import type { RuleFormEdit, RuleKind } from '../../security/form/ruleEdit.ts';
import { formatValues } from '../../security/values/formatValues.ts';
import { countValuesIfSplitAtCommas, parseValues } from '../../security/values/valueText.ts';
import { suggestValues } from '../../security/values/suggestValues.ts';
import { getCommaHint } from '../protocol/valueHints.ts';
import { Button, Icon, RadioGroup, TextArea } from '../shared/controls/fields.tsx';
import { ListEditor } from '../shared/controls/listEditor.tsx';
import { ProblemSummary } from '../shared/controls/problemSummary.tsx';
import { maxSuggestions, ValueSuggestions } from '../shared/controls/valueSuggestions.tsx';
import { getFormColumnKey } from '../shared/formPage.ts';
import { t } from '../shared/t.ts';
import type { RuleFormModel } from './ruleFormModel.ts';

const partyIcons = { user: 'person', group: 'organization', default: 'globe' } as const;

/** The fields of a rule: its column, its parties, and the access that it grants. */
export function RuleFieldsForm({
  form,
  ruleIndex,
}: {
  readonly form: RuleFormModel;
  readonly ruleIndex: number;
}): JSX.Element | null {
  const rule = form.rules.value[ruleIndex];
  if (rule === undefined) {
    return null;
  }
  const isLocked = form.page.isLocked.value || rule.isUnsupported;
  const applyRuleEdit = (ruleEdit: RuleFormEdit): void =>
    form.page.edit({ kind: 'rule', rule: ruleIndex, edit: ruleEdit });
  const hasValueList = rule.ruleKind === 'only' || rule.ruleKind === 'except';
  const problems = form.problemsByRule.value.get(ruleIndex) ?? [];
  const isDefault = rule.parties.some(({ type }) => type === 'default');
  return (
    <div class="rule-fields">
      <ProblemSummary
        problems={problems.filter(
          // The fields below report what is missing in them.
          ({ code }) =>
            !(code === 'party-required' && rule.parties.length === 0) &&
            !(code === 'ambiguous-empty' && hasValueList),
        )}
      />
      <section>
        <h3>{t('Column')}</h3>
        <p class="source-line">
          <Icon name="table" />
          <span class="text">{rule.table || t('(no table)')}</span>
          <Icon name="chevron-right" />
          <span class="text">{rule.column || t('(no column)')}</span>
          {rule.datatype === '' ? null : <span class="muted">· {rule.datatype}</span>}
          <button
            type="button"
            class="link"
            disabled={isLocked}
            onClick={() => form.page.askHost({ kind: 'column', rule: ruleIndex })}
          >
            {rule.column === '' ? t('Select…') : t('Change…')}
          </button>
        </p>
      </section>
      <section>
        <h3>{t('For')}</h3>
        <ListEditor
          label={t('Users and groups')}
          icon={partyIcons[rule.parties[0]?.type ?? 'group']}
          entries={rule.parties.map((party, index) => {
            const label = form.getPartyName(party);
            return {
              key: `${index} ${getFormPartyKey(party)}`,
              label,
              description: party.id === undefined || party.id === label ? undefined : party.id,
            };
          })}
          emptyText={t('No users or groups. Add at least one.')}
          isRequired
          addLabel={isDefault ? t('Change User or Group…') : t('Add User or Group…')}
          disabled={isLocked}
          onAdd={() => form.page.askHost({ kind: 'parties', rule: ruleIndex })}
          onRemove={(index) => applyRuleEdit({ kind: 'parties', values: rule.parties.toSpliced(index, 1) })}
        />
      </section>
      <RadioGroup<RuleKind>
        label={t('Access')}
        value={rule.ruleKind}
        disabled={isLocked}
        choices={[
          { value: 'nothing', label: t('No values'), hint: t('No rows.') },
          { value: 'only', label: t('Only these values'), hint: t('Rows with any of the values below.') },
          {
            value: 'except',
            label: t('All but these values'),
            hint: rule.isLive
              ? t("Rows with any other value. Some servers don't support this for live datamodels.")
              : t('Rows with any other value.'),
          },
          { value: 'everything', label: t('All values'), hint: t('All rows.') },
        ]}
        onChange={(value) => applyRuleEdit({ kind: 'ruleKind', value })}
      />
      {hasValueList ? (
        <MembersField
          key={ruleIndex}
          members={rule.members}
          requiresValue={problems.some(({ code }) => code === 'ambiguous-empty')}
          knownValues={form.page.values.value.get(getFormColumnKey(rule)) ?? []}
          disabled={isLocked}
          onChange={(values) => applyRuleEdit({ kind: 'members', values })}
        />
      ) : null}
      <p>
        <Button
          label={t('Open JSON')}
          icon="json"
          onClick={() => form.page.showText(form.isRuleSet.value ? [ruleIndex] : [])}
        />
      </p>
    </div>
  );
}

/** Edits values as text: one per line, or separated by semicolons. */
function MembersField(props: {
  readonly members: readonly string[];
  /** True if an empty list is an error. */
  readonly requiresValue: boolean;
  readonly knownValues: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (members: readonly string[]) => void;
}): JSX.Element {
  const { members, knownValues } = props;
  const [typedText, setTypedText] = useState('');
  const isTypedTextCurrent = JSON.stringify(parseValues(typedText)) === JSON.stringify(members);
  const text = isTypedTextCurrent ? typedText : formatValues(members, '\n');
  const handleInput = (input: string): void => {
    setTypedText(input);
    props.onChange(parseValues(input));
  };
  const count = members.length === 1 ? t('1 value.') : t('{0} values.', members.length);
  return (
    <section>
      <h3>{t('Values')}</h3>
      <TextArea
        label={t('Values, one per line or separated by semicolons')}
        rows={Math.min(Math.max(members.length + 1, 4), 14)}
        value={text}
        disabled={props.disabled}
        onInput={handleInput}
      />
      <ValueSuggestions
        suggestions={suggestValues(text, knownValues, { joiner: '\n', maxCount: maxSuggestions })}
        disabled={props.disabled}
        onChoose={handleInput}
      />
      {props.requiresValue && members.length === 0 ? (
        <p role="alert">
          <Icon name="error" className="error" />{' '}
          {t('Enter at least one value, or select a different option for Access.')}
        </p>
      ) : null}
      <p class="field-hint">
        {count}{' '}
        {(isTypedTextCurrent ? getCommaHint(countValuesIfSplitAtCommas(typedText), t) : undefined) ??
          t(
            'One per line or separated by semicolons. Quote values that contain semicolons, or that start or end with spaces.',
          )}
      </p>
    </section>
  );
}
