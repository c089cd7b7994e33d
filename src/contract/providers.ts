/** A parameter of a connector: its name is case sensitive. */
export interface ProviderParameter {
  readonly name: string;
  /** The value in a new connection. */
  readonly value: string | boolean | number;
}

export interface Provider {
  /** Case sensitive (platform-facts.md, 2.5). */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  readonly parameters: readonly ProviderParameter[];
}

const createParameter = (name: string, value: string | boolean | number = ''): ProviderParameter => ({
  name,
  value,
});

const databaseParameters: readonly ProviderParameter[] = [
  createParameter('ApiVersion', '2'),
  createParameter('Server'),
  createParameter('UserName'),
  createParameter('Password'),
  createParameter('DefaultDatabase'),
  createParameter('Database'),
  createParameter('EncryptConnection', true),
  createParameter('TrustServerCertificate', false),
  createParameter('AdditionalParameters'),
];

/**
 * Connectors with known parameters (platform-facts.md, 2.5). The platform has more connectors and parameters:
 * these are the defaults of a new connection, and the completions.
 */
export const providers: readonly Provider[] = [
  {
    name: 'CSV',
    label: 'CSV files',
    parameters: [
      createParameter('ApiVersion', '2'),
      createParameter('folder'),
      createParameter('delimiter', ','),
      createParameter('hasHeader', true),
      createParameter('culture', 'en-US'),
      createParameter('stringQuote', '"'),
      createParameter('ignoreFirstRows', 0),
      createParameter('ignoreLastRows', 0),
      createParameter('unionAll', false),
    ],
  },
  {
    name: 'Excel',
    label: 'Excel files',
    parameters: [createParameter('ApiVersion', '2'), createParameter('folder')],
  },
  { name: 'sql', label: 'Microsoft SQL Server', parameters: databaseParameters },
  { name: 'MySQL', label: 'MySQL', parameters: databaseParameters },
  { name: 'PostgreSQL', label: 'PostgreSQL', parameters: databaseParameters },
  { name: 'Oracle', label: 'Oracle', parameters: databaseParameters },
  {
    name: 'RedShift',
    label: 'Amazon Redshift',
    parameters: [
      createParameter('Server'),
      createParameter('UserName'),
      createParameter('Password'),
      createParameter('DefaultDatabase'),
      createParameter('UseDynamicSchema', false),
      createParameter('EncryptConnection', true),
      createParameter('AdditionalParameters'),
    ],
  },
  {
    name: 'athena',
    label: 'Amazon Athena',
    parameters: [
      createParameter('AwsRegion'),
      createParameter('S3OutputLocation'),
      createParameter('userName'),
      createParameter('password'),
      createParameter('UseDynamicSchema', false),
      createParameter('SchemaName'),
      createParameter('AdditionalParameters'),
    ],
  },
  {
    name: 'Databricks',
    label: 'Databricks',
    parameters: [
      createParameter('connectionString'),
      createParameter('password'),
      createParameter('UseDynamicSchema', false),
      createParameter('Schema'),
    ],
  },
  {
    name: 'GoogleBigQuery',
    label: 'Google BigQuery',
    parameters: [
      createParameter('googleAccount'),
      createParameter('serviceAccount'),
      createParameter('serviceAccountKeyPath'),
      createParameter('UseProxyServer', false),
      createParameter('UseDynamicSchema', false),
      createParameter('samplingLevel'),
      createParameter('unnestArrays', false),
      createParameter('allowLargeResults', false),
      createParameter('useStorageApi', false),
      createParameter('AdditionalParameters'),
      createParameter('DB'),
    ],
  },
  { name: 'Snowflake', label: 'Snowflake', parameters: databaseParameters },
  {
    name: 'Salesforce',
    label: 'Salesforce',
    parameters: [createParameter('UserName'), createParameter('Password')],
  },
];
