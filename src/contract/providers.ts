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

const parameter = (name: string, value: string | boolean | number = ''): ProviderParameter => ({
  name,
  value,
});

const database: readonly ProviderParameter[] = [
  parameter('ApiVersion', '2'),
  parameter('Server'),
  parameter('UserName'),
  parameter('Password'),
  parameter('DefaultDatabase'),
  parameter('Database'),
  parameter('EncryptConnection', true),
  parameter('TrustServerCertificate', false),
  parameter('AdditionalParameters'),
];

/**
 * Connectors whose parameters have been seen (platform-facts.md, 2.5). The platform has more connectors and parameters:
 * these are the defaults of a new connection, and the completions.
 */
export const providers: readonly Provider[] = [
  {
    name: 'CSV',
    label: 'CSV files',
    parameters: [
      parameter('ApiVersion', '2'),
      parameter('folder'),
      parameter('delimiter', ','),
      parameter('hasHeader', true),
      parameter('culture', 'en-US'),
      parameter('stringQuote', '"'),
      parameter('ignoreFirstRows', 0),
      parameter('ignoreLastRows', 0),
      parameter('unionAll', false),
    ],
  },
  { name: 'Excel', label: 'Excel files', parameters: [parameter('ApiVersion', '2'), parameter('folder')] },
  { name: 'sql', label: 'Microsoft SQL Server', parameters: database },
  { name: 'MySQL', label: 'MySQL', parameters: database },
  { name: 'PostgreSQL', label: 'PostgreSQL', parameters: database },
  { name: 'Oracle', label: 'Oracle', parameters: database },
  {
    name: 'RedShift',
    label: 'Amazon Redshift',
    parameters: [
      parameter('Server'),
      parameter('UserName'),
      parameter('Password'),
      parameter('DefaultDatabase'),
      parameter('UseDynamicSchema', false),
      parameter('EncryptConnection', true),
      parameter('AdditionalParameters'),
    ],
  },
  {
    name: 'athena',
    label: 'Amazon Athena',
    parameters: [
      parameter('AwsRegion'),
      parameter('S3OutputLocation'),
      parameter('userName'),
      parameter('password'),
      parameter('UseDynamicSchema', false),
      parameter('SchemaName'),
      parameter('AdditionalParameters'),
    ],
  },
  {
    name: 'Databricks',
    label: 'Databricks',
    parameters: [
      parameter('connectionString'),
      parameter('password'),
      parameter('UseDynamicSchema', false),
      parameter('Schema'),
    ],
  },
  {
    name: 'GoogleBigQuery',
    label: 'Google BigQuery',
    parameters: [
      parameter('googleAccount'),
      parameter('serviceAccount'),
      parameter('serviceAccountKeyPath'),
      parameter('UseProxyServer', false),
      parameter('UseDynamicSchema', false),
      parameter('samplingLevel'),
      parameter('unnestArrays', false),
      parameter('allowLargeResults', false),
      parameter('useStorageApi', false),
      parameter('AdditionalParameters'),
      parameter('DB'),
    ],
  },
  { name: 'Snowflake', label: 'Snowflake', parameters: database },
  { name: 'Salesforce', label: 'Salesforce', parameters: [parameter('UserName'), parameter('Password')] },
];
