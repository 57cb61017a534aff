import type { Caller } from '../domain/caller.js';
import type { Employee } from '../domain/directory.js';
import { compareEmployees } from '../domain/employee-order.js';
import type { Directory } from './ports.js';

/** All employees that the caller may see. They are sorted here, because databases compare names each in their own way. */
export async function listEmployees({ directory }: { directory: Directory }, caller: Caller): Promise<Employee[]> {
  const employees: Employee[] = [];
  for await (const employee of directory.employees(caller)) employees.push(employee);
  return employees.sort(compareEmployees);
}
