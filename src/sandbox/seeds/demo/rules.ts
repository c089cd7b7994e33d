import { groups, people } from '../people.ts';
import { builtInUsers, type SeedTarget } from '../seed.ts';
import {
  createExceptContent,
  allValuesContent,
  createSeedExtractRule,
  defaultParty,
  createGroupParty,
  createUserParty,
  createSeedLiveRule,
  noValuesContent,
  createOnlyContent,
  type SeedRuleContent,
  type SeedRuleParty,
  type SeedRuleSpec,
} from '../seedRules.ts';

/**
 * Returns a function that creates rules on one column, from a rule's content (which values it makes visible) and its
 * parties.
 */
const createRuleFactory =
  (table: string, column: string, datatype?: 'numeric') =>
  (content: SeedRuleContent, ...parties: readonly SeedRuleParty[]): SeedRuleSpec => ({
    table,
    column,
    content,
    parties,
    ...(datatype === undefined ? {} : { datatype }),
  });

const createRegionRule = createRuleFactory('Regions', 'Region');
const createSegmentRule = createRuleFactory('Customers', 'Segment');
const createChannelRule = createRuleFactory('Orders', 'Channel');
const createStatusRule = createRuleFactory('Orders', 'Status');
const createDepartmentRule = createRuleFactory('Categories', 'Department');
const createCategoryIdRule = createRuleFactory('Products', 'Category Id', 'numeric');
const createJobTitleRule = createRuleFactory('Employees', 'Job Title');

/** All kinds of rules of platform-facts.md, 3.2; some users are in two groups with rules on the same column. */
const retailRules: readonly SeedRuleSpec[] = [
  createRegionRule(createOnlyContent('North', 'South', 'West'), createGroupParty(groups.sales)),
  createRegionRule(createOnlyContent('North', 'Nordics'), createGroupParty(groups.salesNorth)),
  createRegionRule(createOnlyContent('South', 'Alps'), createGroupParty(groups.salesSouth)),
  createRegionRule(
    allValuesContent,
    createGroupParty(groups.executives),
    createGroupParty(groups.finance),
    createUserParty(builtInUsers.administrator),
  ),
  createRegionRule(createExceptContent('Iberia'), createUserParty(people.farid)),
  createRegionRule(allValuesContent, createGroupParty(groups.marketing), createGroupParty(groups.support)),
  createRegionRule(noValuesContent, defaultParty),
  createSegmentRule(createOnlyContent('Club'), createGroupParty(groups.marketing)),
  createSegmentRule(allValuesContent, defaultParty),
  createChannelRule(createExceptContent('Partner'), createGroupParty(groups.support)),
  createChannelRule(allValuesContent, defaultParty),
  createStatusRule(noValuesContent, createUserParty(people.liam)),
  createStatusRule(allValuesContent, defaultParty),
  createDepartmentRule(
    createOnlyContent('Outdoor', 'Apparel'),
    createUserParty(people.chiara),
    createUserParty(people.daniel),
  ),
  createDepartmentRule(allValuesContent, defaultParty),
  createCategoryIdRule(createOnlyContent('1', '2', '3'), createUserParty(people.daniel)),
  createCategoryIdRule(allValuesContent, defaultParty),
  createJobTitleRule(createExceptContent('Assistant Manager'), createUserParty(people.jonas)),
  createJobTitleRule(allValuesContent, defaultParty),
];

const createLeadRegionRule = createRuleFactory('Leads', 'Region');
const createCampaignChannelRule = createRuleFactory('Campaigns', 'Channel');

const marketingRules: readonly SeedRuleSpec[] = [
  createLeadRegionRule(createOnlyContent('North', 'Nordics'), createGroupParty(groups.salesNorth)),
  createLeadRegionRule(createOnlyContent('South', 'Alps'), createGroupParty(groups.salesSouth)),
  createLeadRegionRule(noValuesContent, createGroupParty(groups.support)),
  createLeadRegionRule(allValuesContent, defaultParty),
  createCampaignChannelRule(createExceptContent('Print'), createGroupParty(groups.marketing)),
  createCampaignChannelRule(allValuesContent, defaultParty),
];

const createCountryRule = createRuleFactory('Tickets', 'Country');
const createTeamRule = createRuleFactory('Agents', 'Team');
const createScoreRule = createRuleFactory('Satisfaction', 'Score', 'numeric');

const supportRules: readonly SeedRuleSpec[] = [
  createCountryRule(createOnlyContent('Germany', 'Switzerland'), createGroupParty(groups.support)),
  createCountryRule(allValuesContent, createUserParty(people.kavya), createGroupParty(groups.executives)),
  createCountryRule(noValuesContent, defaultParty),
  createTeamRule(createOnlyContent('First Line'), createUserParty(people.liam)),
  createTeamRule(allValuesContent, defaultParty),
  createScoreRule(createOnlyContent('1', '2', '3', '4', '5'), createGroupParty(groups.support)),
];

/** The name of the cube set. Its rules have the server `set` (rest-api.md, "Data security rule"). */
const cubeSet = 'Regional Sales';

const cubeSetRules: readonly SeedRuleSpec[] = [
  createRegionRule(createOnlyContent('North', 'Nordics'), createGroupParty(groups.salesNorth)),
  createRegionRule(createOnlyContent('South', 'Alps'), createGroupParty(groups.salesSouth)),
  createRegionRule(allValuesContent, createGroupParty(groups.executives)),
  createRegionRule(noValuesContent, defaultParty),
];

const insertRulesWithLabels = (
  rules: readonly SeedRuleSpec[],
  insert: (label: string, spec: SeedRuleSpec) => void,
): void => rules.forEach((spec, index) => insert(`${index}`, spec));

/** Inserts the rules of the demo seed. */
export function insertDemoRules(target: SeedTarget): void {
  const insertExtractRules = (server: string, cube: string, rules: readonly SeedRuleSpec[]): void =>
    insertRulesWithLabels(rules, (label, spec) =>
      target.insertExtractRule(createSeedExtractRule(server, cube, label, spec)),
    );
  insertExtractRules('LocalHost', 'Retail', retailRules);
  insertExtractRules('LocalHost', 'Marketing', marketingRules);
  insertExtractRules('set', cubeSet, cubeSetRules);
  insertRulesWithLabels(supportRules, (label, spec) =>
    target.insertLiveRule(createSeedLiveRule('Support Desk', label, spec)),
  );
}
