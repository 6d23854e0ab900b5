/** For whoever gave no logger: nothing is printed behind their back. */
export const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };
