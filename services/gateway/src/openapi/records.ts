import { groups } from '../records/groups.js';
import type { RecordGroup } from '../records/group.js';
import { json, type OperationDoc, type OperationDocs } from './operation-doc.js';
import { idInPath, recordParameters } from './parameters.js';
import { pageExample, pageOf } from './values.js';

/** The operations of the read-only groups, which all have the same form. */
export const recordDocs: OperationDocs = Object.fromEntries(groups.flatMap(docsOf));

function docsOf({ path, titles, nouns, list, note, schema, example }: RecordGroup): [string, OperationDoc][] {
  const [idOfOne, idOfList] = titles.map((title) => title.replaceAll(' ', ''));
  const [noun, plural] = nouns;
  const sampleId = String(example.id);
  const more = note === undefined ? '' : ` ${note}`;
  const ofList: OperationDoc = {
    id: `list${idOfList}`,
    summary: `List ${plural}`,
    description: `Sorted by ${list.defaultOrder}, unless \`order\` is given.${more}`,
    query: recordParameters(list, example),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(schema), pageExample(example)) } },
    problems: {
      $query: ['"color" is not a valid ordering field.'],
      modified_since: ['Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDTHH:MM:SS.'],
    },
  };
  const ofOne: OperationDoc = {
    id: `get${idOfOne}`,
    summary: `Get one ${noun}`,
    description: `The ${noun} with all its fields.${more}`,
    path: idInPath(`Id of the ${noun}.`, sampleId),
    answers: { 200: { description: `The ${noun}.`, content: json(schema, example) } },
  };
  return [
    [`GET /${path}/`, ofList],
    [`GET /${path}/{id}/`, ofOne],
  ];
}
