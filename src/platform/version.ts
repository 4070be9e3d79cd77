/** Of Turma and of the interface's description (contract, Versioning 1). */
export const version = "0.3.0"
