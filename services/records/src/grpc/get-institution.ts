import type { handleUnaryCall } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { AbsenceCategory } from '@stechuhr/worktime';
import type { Context } from '../context.js';
import type { Institution } from '../domain/directory.js';
import { getInstitution } from '../operations/get-institution.js';
import { toCaller } from './from-proto.js';

const { AbsenceCategory: Category } = recordsV1;

const categories: Readonly<Record<AbsenceCategory, recordsV1.AbsenceCategory>> = {
  vacation: Category.ABSENCE_CATEGORY_VACATION,
  sick: Category.ABSENCE_CATEGORY_SICK,
  education: Category.ABSENCE_CATEGORY_EDUCATION,
  other: Category.ABSENCE_CATEGORY_OTHER,
};

export function getInstitutionRpc(context: Context): handleUnaryCall<recordsV1.GetInstitutionRequest, recordsV1.GetInstitutionResponse> {
  return unary(async ({ caller }) => ({ institution: institutionToProto(await getInstitution(context, toCaller(caller))) }));
}

export function institutionToProto({ absenceTypes, ...institution }: Institution): recordsV1.Institution {
  return { ...institution, absenceTypes: absenceTypes.map((type) => ({ ...type, category: categories[type.category] })) };
}
