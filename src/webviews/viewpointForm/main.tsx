import { effect } from '@preact/signals';
import { type JSX, render } from 'preact';
import '../shared/elements.ts';
import { trackSelectedColumns } from '../../viewpoints/form/trackColumns.ts';
import { FormMain } from '../shared/controls/formLayout.tsx';
import { FormProblemList } from '../shared/controls/notices.tsx';
import { Button } from '../shared/controls/fields.tsx';
import { Tabs } from '../shared/controls/tabs.tsx';
import { t } from '../shared/t.ts';
import { askForColumns } from './columnActions.ts';
import {
  getProblemColumnIndex,
  createViewpointFormModel,
  type ViewpointTab,
  type ViewpointFormModel,
} from './viewpointFormModel.ts';
import { ColumnGrid } from './grid.tsx';
import { Header } from './header.tsx';
import { Inspector } from './inspector.tsx';
import { selectOne, mapSelection } from './columnSelection.ts';
import { SharingEditor } from './sharing.tsx';
import './main.css';

const form = createViewpointFormModel();

keepColumnsSelected();
effect(() => form.page.setPersisted('tab', form.tab.value));

const root = document.getElementById('root');
if (root !== null) {
  render(<Page />, root);
}

/** Keeps the same columns selected when the document changes and their indexes change. */
function keepColumnsSelected(): void {
  let previousColumns = form.fields.peek().columns;
  effect(() => {
    const { columns } = form.fields.value;
    if (columns !== previousColumns) {
      form.selection.value = mapSelection(
        form.selection.peek(),
        trackSelectedColumns(previousColumns, columns),
      );
      previousColumns = columns;
    }
  });
}

function Page(): JSX.Element {
  return (
    <FormMain page={form.page} title={() => t('Viewpoint')}>
      {() => <Form />}
    </FormMain>
  );
}

function Form(): JSX.Element {
  const problems = form.page.problems.value;
  const { columns } = form.fields.value;
  const tab = form.tab.value;
  return (
    <>
      <Header form={form} />
      <Tabs
        label={t('Parts of the viewpoint')}
        activeId={tab}
        tabs={[
          { id: 'columns', label: t('Columns'), badge: String(columns.length) },
          { id: 'sharing', label: t('Sharing') },
          {
            id: 'problems',
            label: t('Problems'),
            badge: problems.length === 0 ? undefined : String(problems.length),
          },
        ]}
        onChange={(id) => {
          form.tab.value = id as ViewpointTab;
        }}
      >
        {tab === 'columns' ? <ColumnsTab form={form} /> : null}
        {tab === 'sharing' ? <SharingEditor form={form} /> : null}
        {tab === 'problems' ? <ProblemsTab form={form} /> : null}
      </Tabs>
    </>
  );
}

function ColumnsTab({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const { columns, hasUnsupportedColumns } = form.fields.value;
  const isLocked = form.page.isLocked.value || hasUnsupportedColumns;
  return (
    <div class="columns">
      <div class="columns-main">
        <div class="toolbar">
          <vscode-textfield
            class="search"
            label={t('Search columns')}
            placeholder={t('Search columns')}
            value={form.filter.value}
            onInput={(event: Event) => {
              const { target } = event;
              form.filter.value = target !== null && 'value' in target ? String(target.value) : '';
            }}
          />
          <span class="muted" role="status">
            {form.filter.value === ''
              ? ''
              : t('{0} of {1}', form.matchingIndexes.value.length, columns.length)}
          </span>
          <Button
            label={t('Add Columns…')}
            icon="add"
            isPrimary
            disabled={isLocked}
            onClick={() => askForColumns(form)}
          />
        </div>
        {columns.length === 0 ? (
          <div class="empty">
            <p>
              {hasUnsupportedColumns
                ? t("The form can't show these columns.")
                : t('This viewpoint has no columns.')}
            </p>
            {hasUnsupportedColumns ? (
              <Button label={t('Open JSON')} onClick={() => form.page.showText(['details', 'columns'])} />
            ) : null}
          </div>
        ) : (
          <ColumnGrid form={form} />
        )}
      </div>
      {columns.length === 0 ? null : <Inspector form={form} />}
    </div>
  );
}

function ProblemsTab({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  return (
    <FormProblemList
      problems={form.page.problems.value}
      onOpen={(problem) => {
        const columnIndex = getProblemColumnIndex(problem);
        if (columnIndex === undefined) {
          form.page.showText(problem.path);
        } else {
          form.select(selectOne(columnIndex));
          form.tab.value = 'columns';
        }
      }}
      onShowText={({ path }) => form.page.showText(path)}
      describeLocation={(problem) => {
        const columnIndex = getProblemColumnIndex(problem);
        return columnIndex === undefined
          ? problem.path.join(' › ')
          : form.getColumn(columnIndex).texts.title.value ||
              form.getColumn(columnIndex).dim ||
              t('Column {0}', columnIndex + 1);
      }}
    />
  );
}
