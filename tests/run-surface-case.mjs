export function runSurfaceCase() {}
