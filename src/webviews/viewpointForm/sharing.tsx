import type { JSX } from 'preact';
import { getSharingState } from '../../viewpoints/form/readViewpoint.ts';
import { type ShareList, shareLists } from '../../viewpoints/form/viewpointEdit.ts';
import { ListEditor } from '../shared/controls/listEditor.tsx';
import { Notice } from '../shared/controls/notices.tsx';
import { t } from '../shared/t.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';

const shareLabels = {
  apps: {
    icon: 'extensions',
    label: () => t('Apps'),
    hint: () => t('Assistant apps that offer the viewpoint. Sharing requires at least one.'),
    empty: () => t('No apps.'),
    add: () => t('Add App…'),
  },
  groups: {
    icon: 'organization',
    label: () => t('Groups'),
    hint: () => t('User groups, by name or ID. Sharing requires at least one user or group.'),
    empty: () => t('No groups.'),
    add: () => t('Add Group…'),
  },
  users: {
    icon: 'person',
    label: () => t('Users'),
    hint: () => t('Individual users, by ID.'),
    empty: () => t('No users.'),
    add: () => t('Add User…'),
  },
} as const;

/** Edits the apps, groups and users that the viewpoint is shared with (rest-api.md, "ViewpointVisibility"). */
export function SharingEditor({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  return (
    <div class="settings">
      {getSharingState(form.fields.value) === 'shared' ? (
        <Notice
          severity="warning"
          text={t('Shared, but not visible to anyone until it is published.')}
          action={{ label: t('Publish'), run: () => form.page.edit({ kind: 'published', value: true }) }}
        />
      ) : null}
      {shareLists.map((list) => (
        <ShareSection key={list} form={form} list={list} />
      ))}
    </div>
  );
}

function ShareSection({
  form,
  list,
}: {
  readonly form: ViewpointFormModel;
  readonly list: ShareList;
}): JSX.Element {
  const { page, fields } = form;
  const { values, isUnsupported } = fields.value[list];
  const names = page.names.value;
  return (
    <section class="setting">
      <h2>{shareLabels[list].label()}</h2>
      <p class="setting-hint">{shareLabels[list].hint()}</p>
      <ListEditor
        label={shareLabels[list].label()}
        icon={shareLabels[list].icon}
        entries={values.map((id, index) => {
          const name = Object.hasOwn(names, id) ? names[id] : undefined;
          return {
            key: `${index} ${id}`,
            label: name ?? id,
            description: name === undefined || name === id ? undefined : id,
          };
        })}
        emptyText={shareLabels[list].empty()}
        addLabel={shareLabels[list].add()}
        disabled={page.isLocked.value || isUnsupported}
        onAdd={() => page.askHost({ kind: 'share', list })}
        onRemove={(index) => page.edit({ kind: 'share', list, values: values.toSpliced(index, 1) })}
      />
    </section>
  );
}
