/**
 * The requirements, limits, and errors of the REST reference in short form, by its sections (docs/rest-api.md,
 * "Requirements that tests name"). A test names those that it covers by `[spec: <id>]` in its title;
 * `test/unit/contract/coverage.test.ts` fails when one has no test.
 */
export const specLines = {
  // "What the service does"
  'service.rules-narrow':
    'Rules are applied on the server to every query on that datamodel and narrow the result before it is returned.',
  'service.linked-tables':
    'Once a party has any rule on a datamodel, results are limited to the allowed values across all linked tables.',
  'service.custom-data-shared': 'Any caller with a valid cookie or API token can read and write it.',

  // "Data security rule"
  'rule.id-post': 'Assigned by POST and must not be sent on POST.',
  'rule.id-get': 'Returned by every GET.',
  'rule.id-put': 'Required for PUT',
  'rule.place-in-path': 'server and elasticube come from the path',
  'rule.place-in-body': 'Body: JSON array of rule objects, each with server and elasticube',
  'rule.cube-set': "For a cube set use the term set … For a cube set use the set's name",
  'rule.case-sensitive': 'All string fields are case sensitive.',
  'rule.required': 'Required: table, column, datatype, members unless allMembers is used, allMembers, shares',
  'rule.members-strings': 'members: string[]',
  'rule.all-members-null': 'When not used the value must be null, not false',
  'rule.exclusionary': 'When true the listed values are hidden from the parties instead of allowed',
  'rule.party-required': 'Required when type is user or group; not required when type is default',
  'rule.bulk-size':
    'Bulk data security calls are bounded by the maximum HTTP request size and call time, so large jobs may be split.',
  'live.fullname': 'Datamodel name with the mandatory prefix live:',
  'live.live': 'Must always be true',
  'kind.default': 'Default rule: one shares entry of type default and no party.',
  'kind.user-group': 'One rule may hold many values and many parties.',
  'kind.both-scopes': 'Party scope may be individual users or groups; both may coexist.',

  // "Datamodel", "Dataset"
  'datamodel.title': 'title: string, required on creation.',
  'datamodel.type-default': 'type: extract or live, default extract.',
  'datamodel.no-edit': 'The Datamodel has no editable fields.',
  'datamodel.delete': 'Removes the datamodel entirely',
  'dataset.types': 'type: extract or custom in an extract Datamodel; live or custom in a live Datamodel.',
  'dataset.custom-without-connection': 'connection: object describing the source; omitted for custom type.',
  'dataset.connection-only': 'Only connection can be modified after creation.',
  'dataset.connection-read-only':
    'Read-only connection properties that must not be sent on PATCH: id, owner, autoRefresh, protectedParameters.',
  'dataset.delete': 'Deletes the dataset and its tables',

  // "Table", "Column", "Relation"
  'table.id': 'Base tables: required on creation.',
  'table.file-id': 'For a file connector the id must equal the file name',
  'table.name-default': 'Name in the Datamodel; defaults to id when omitted.',
  'table.custom-expression': 'expression: SQL expression; required for custom tables',
  'table.custom-columns':
    'Present for base tables, absent for custom tables … generated from its expression.',
  'table.custom-dataset': 'A custom table lives in a custom-type Dataset',
  'table.hidden': 'Sending hidden true hides a column.',
  'table.patch-foreign':
    'PATCH of a Table with a property that does not belong to a Table results in an error.',
  'table.patch-one':
    'on a Table at least one Table property must be present. Read-only properties are ignored.',
  'datamodel.columns-replace':
    'On PATCH of a Table, the columns array replaces the stored array … A column without oid is created; a stored column missing from the array is deleted.',
  'datamodel.relation-columns': 'On PATCH of a Relation, columns not sent are removed from the relation.',
  'datamodel.references-stay':
    'After deleting a dataset or table, references in Relations and custom SQL expressions must be removed by the caller',
  'datamodel.rename-keeps-id':
    'Renaming a table does not change its id; SQL expressions using the old name must be updated by the caller.',
  'datamodel.bodies-not-shown': 'Response bodies of the create, update and delete operations: not shown.',
  'relation.two-columns': 'A Relation with fewer than 2 columns makes the schema invalid.',
  'relation.delete': 'Deletes the relation and unlinks all its tables',

  // "Build API"
  'build.oid': 'the response contains the task oid; the task is only accepted and queued',
  'build.fields': 'datamodelId, buildType required; schemaOrigin default latest; rowLimit integer',
  'build.types': 'full, by_table, schema_changes, publish (live models)',
  'build.row-limit': 'Sample build: imports this many rows per source',
  'build.failure-in-task': 'failures show later in the task status',
  'build.cancel': 'DELETE /builds/{buildId}: Cancels one task',
  'build.cancel-all': 'Cancels the build tasks of one datamodel',

  // "Group lookup record", "Custom data API"
  'group.first': 'returns an array; the first item carries _id.',
  'custom.stored-whole': 'Any JSON object; no pre-defined structure. It is stored whole.',
  'custom.filter':
    'a property equals a value at the root level, and a property exists using the operator $exists with a boolean',
  'custom.patch-both': 'queryForSearch (JSON filter, required), objectForUpdate (JSON object, required)',
  'custom.all-matching': 'Updates all matching objects … Deletes all matching objects',

  // "Viewpoint API"
  'viewpoint.tenant-header':
    'x-tenent-id (optional; tenant on whose behalf the call runs). The header name is spelled exactly so.',
  'viewpoint.query': 'search, with, offset, limit (all optional)',
  'viewpoint.search': 'partial match, case sensitive',
  'viewpoint.total': 'The response is a list ordered by id that includes the total count of viewpoints.',
  'viewpoint.page': 'GET /infusion/viewpoints default page: 100 rows; no minimum or maximum for limit',
  'viewpoint.required': 'name (string, required, unique), description (string, required)',
  'viewpoint.unique': 'Shown to end users; must be unique',
  'viewpoint.not-validated': 'The endpoint does not validate the content',
  'viewpoint.put-partial': 'PUT body: the fields to change, for example only name.',
  'viewpoint.complex-whole': 'Complex properties (datasource, details, visibility) must be sent in full',
  'viewpoint.visibility-change':
    'Changing visibility needs at least one app and at least one user or one user group.',
  'viewpoint.unpublished': 'body does not define enabled as true: unpublished (enabled false)',
  'viewpoint.published': 'body defines enabled true in visibility: published',
  'viewpoint.sharing-apart':
    'Sharing and publishing are separate: a viewpoint can be shared but stays invisible until enabled is true.',
  'viewpoint.delete': 'Its bookmarks are deleted in all apps; inaccessible at once',
  'viewpoint.status-not-shown': 'Response body of GET /infusion/status …: not shown.',
  'limit.uid': 'Viewpoint columns with infusion.uid: At most 1. When set, a filter must be defined for it',
  'limit.default-measure': 'Viewpoint columns with infusion.defaultMeasure: At most 1',
  'limit.default-date': 'Viewpoint columns with infusion.defaultDate: At most 1; only date columns',

  // "Authentication", "Limits", "Versioning"
  'auth.bearer':
    'Requests carry the header Authorization with the value Bearer followed by a space and <API_TOKEN>.',
  'auth.rules-administrator':
    'Only administrator-level users may create, change or delete data security rules.',
  'auth.isauth':
    'A token can be checked before use with GET /api/auth/isauth; the response field isauthenticated is a boolean.',
  'auth.status-anonymous':
    'GET /infusion/status needs no authorization. The other viewpoint endpoints require it',
  'limit.no-mixed': 'Datamodel types: Extract or live, not mixed',
  'version.api-v2': 'Datamodel and build API: Linux releases from L8.1',
  'version.schema-origin': 'Build field schemaOrigin: From release L2021.3',
  'version.viewpoints': 'Viewpoint API: Release L2023.11 and later, with the assistant-apps feature licensed',
} as const satisfies Readonly<Record<string, string>>;
