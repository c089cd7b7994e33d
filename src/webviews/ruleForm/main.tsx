import { type JSX, render } from 'preact';
import '../shared/elements.ts';
import { Button, Icon } from '../shared/controls/fields.tsx';
import { FixedNotice, Notice, ProblemList } from '../shared/controls/notices.tsx';
import { Tabs } from '../shared/controls/tabs.tsx';
import { t } from '../shared/t.ts';
import { partyKey } from '../../security/form/readRuleFields.ts';
import { CellInspector } from './cellInspector.tsx';
import { columnKey, openRuleForm, type RuleForm } from './form.ts';
import { MatrixGrid } from './matrix.tsx';
import { RuleFieldsEditor } from './ruleFields.tsx';
import './main.css';

const form = openRuleForm();
const root = document.getElementById('root');
if (root !== null) {
  render(<Page />, root);
}

function Page(): JSX.Element {
  if (form.page.document.value === undefined) {
    return (
      <main class="page">
        <p class="empty" role="status">
          {t('Loading…')}
        </p>
      </main>
    );
  }
  return (
    <main class="page">
      <h1 class="sr-only">{form.isSet.value ? t('Rule Set') : t('Rule')}</h1>
      <FixedNotice page={form.page} />
      {form.isSet.value ? <RuleSet form={form} /> : <OneRule form={form} />}
    </main>
  );
}

function DatamodelLine({ form }: { readonly form: RuleForm }): JSX.Element {
  const model = form.page.model.value;
  const named = form.rules.value.find(({ datamodel }) => datamodel !== '');
  const title = named?.datamodel ?? model.title;
  return (
    <p class="datamodel-line">
      <Icon name="database" />
      <span class={title === '' ? 'muted' : ''}>{title === '' ? t('No datamodel chosen') : title}</span>
      {named === undefined ? null : <span class="muted">{named.isLive ? t('live') : named.server}</span>}
      {model.state === 'loading' ? (
        <span class="muted" role="status">
          <Icon name="loading" kind="codicon-modifier-spin" /> {t('Loading its tables…')}
        </span>
      ) : null}
      {model.state === 'none' && title !== '' ? (
        <span class="muted" role="status">
          {t('is not on the current connection: names are not checked.')}
        </span>
      ) : null}
      {model.state === 'failed' ? (
        <span class="model-failed" role="status">
          <Icon name="warning" kind="warning" />
          <span class="text" title={model.message}>
            {model.message}
          </span>
          <button type="button" class="link" onClick={() => form.page.reloadModel()}>
            {t('Try Again')}
          </button>
        </span>
      ) : null}
      {named === undefined ? (
        <button type="button" class="link" onClick={() => form.page.ask({ kind: 'datamodel' })}>
          {t('Choose…')}
        </button>
      ) : null}
    </p>
  );
}

function OneRule({ form }: { readonly form: RuleForm }): JSX.Element {
  const isRule = form.rules.value[0]?.isOdd === false;
  return (
    <div class="one-rule">
      <h2 class="sr-only">{t('Properties')}</h2>
      <DatamodelLine form={form} />
      {isRule ? (
        <RuleFieldsEditor form={form} place={0} />
      ) : (
        <Notice
          severity="warning"
          text={t('This document is no rule: a rule is a JSON object.')}
          action={{ label: t('Open JSON'), run: () => form.page.showText() }}
        />
      )}
    </div>
  );
}

function RuleSet({ form }: { readonly form: RuleForm }): JSX.Element {
  const problems = form.page.problems.value;
  const { rules } = form;
  return (
    <>
      <header class="set-head">
        <DatamodelLine form={form} />
        <Button
          label={t('Add Rule…')}
          icon="add"
          isPrimary
          disabled={form.page.isFixed.value}
          onClick={() => form.page.ask({ kind: 'newRule' })}
        />
      </header>
      <Tabs
        label={t('Parts of the rule set')}
        active={form.tab.value}
        tabs={[
          { id: 'rules', label: t('Rules'), badge: String(rules.value.length) },
          {
            id: 'problems',
            label: t('Problems'),
            badge: problems.length === 0 ? undefined : String(problems.length),
          },
        ]}
        onChange={(id) => {
          form.tab.value = id === 'problems' ? 'problems' : 'rules';
        }}
      >
        {form.tab.value === 'rules' ? <Rules form={form} /> : <Problems form={form} />}
      </Tabs>
    </>
  );
}

function Rules({ form }: { readonly form: RuleForm }): JSX.Element {
  const { parties, others } = form.matrix.value;
  return (
    <>
      {others.length === 0 ? null : (
        <Notice
          severity="warning"
          text={t('{0} entries name no party or no column, and stand in no cell.', others.length)}
          action={{ label: t('Open JSON'), run: () => form.page.showText([others[0] ?? 0]) }}
        />
      )}
      {parties.length === 0 ? (
        <div class="empty">
          <p>{t('There are no rules here yet: whoever may use the datamodel sees all of it.')}</p>
        </div>
      ) : (
        <div class="columns">
          <MatrixGrid form={form} />
          <CellInspector form={form} />
        </div>
      )}
    </>
  );
}

function Problems({ form }: { readonly form: RuleForm }): JSX.Element {
  const ruleAt = (path: readonly (string | number)[]) => {
    const [place] = path;
    return typeof place === 'number' ? form.rules.value[place] : undefined;
  };
  return (
    <ProblemList
      problems={form.page.problems.value}
      onOpen={({ path }) => {
        const rule = ruleAt(path);
        const [party] = rule?.parties ?? [];
        if (rule === undefined || party === undefined) {
          form.page.showText(path);
        } else {
          form.cell.value = { party: partyKey(party), column: columnKey(rule.table, rule.column) };
          form.tab.value = 'rules';
        }
      }}
      onShowText={({ path }) => form.page.showText(path)}
      placeOf={({ path }) => {
        const rule = ruleAt(path);
        return rule === undefined ? '' : `${rule.table}.${rule.column}`;
      }}
    />
  );
}
