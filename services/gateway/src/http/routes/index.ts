import type { Route } from '../route.js';
import { listAudit } from './admin/audit.js';
import { createClass, createInvitations, endClass, exportClass, listClasses, setClassQuota } from './admin/classes.js';
import { drainRunner, listLoads, listPauses, listRunners, setPause } from './admin/deployment.js';
import { cancelAnyJob, failAnyJob, listAllJobs, mergeAnyJob, retryAnyJob } from './admin/jobs.js';
import { listQuotas, setQuota } from './admin/quotas.js';
import { getRetention, setRetention } from './admin/retention.js';
import { listAllUsage } from './admin/usage.js';
import { blockUser, deleteUser, endUserSessions, listUsers, resetUserPassword } from './admin/users.js';
import { confirmEmail } from './auth/confirm-email.js';
import { confirmPasswordReset } from './auth/confirm-password-reset.js';
import { login } from './auth/login.js';
import { logout, logoutFromSso } from './auth/logout.js';
import { refreshSession } from './auth/refresh.js';
import { register } from './auth/register.js';
import { requestPasswordReset } from './auth/request-password-reset.js';
import { deleteSessions } from './auth/sessions/delete.js';
import { listSessions } from './auth/sessions/list.js';
import { loginWithSsoCode } from './auth/sso-code-login.js';
import { loginWithSso } from './auth/sso-login.js';
import { getSsoRealm } from './auth/sso-realm.js';
import { getSessionStatus } from './auth/status.js';
import { createToken } from './auth/tokens/create.js';
import { deleteToken } from './auth/tokens/delete.js';
import { listTokens } from './auth/tokens/list.js';
import { listClusters } from './clusters/list.js';
import { listEstimators } from './estimators/list.js';
import { createGroup } from './groups/create.js';
import { deleteGroup } from './groups/delete.js';
import { listGroups } from './groups/list.js';
import { createMember } from './groups/members/create.js';
import { deleteMember } from './groups/members/delete.js';
import { listMembers } from './groups/members/list.js';
import { updateMember } from './groups/members/update.js';
import { updateGroup } from './groups/update.js';
import { about } from './health/about.js';
import { livez } from './health/livez.js';
import { readyz } from './health/readyz.js';
import { getInputs } from './inputs/get.js';
import { cancelBatchJob, cancelDirectJob } from './jobs/cancel.js';
import { getCrate } from './jobs/crate.js';
import { estimateJob } from './jobs/estimate.js';
import { followJobs } from './jobs/events.js';
import { extendBatchJob, extendDirectJob } from './jobs/extend.js';
import { getBatchJob, getDirectJob, getJob } from './jobs/get.js';
import { updateJobLabels } from './jobs/labels.js';
import { stopBatchJob, stopDirectJob } from './jobs/stop.js';
import { submitBatchJob, submitDirectJob } from './jobs/submit.js';
import { updateJob } from './jobs/update.js';
import { getLimits } from './limits/get.js';
import { getLogfiles } from './logfiles/get.js';
import { uploadLogfiles } from './logfiles/upload.js';
import { getOpenApi } from './openapi/get.js';
import { createProject } from './projects/create.js';
import { deleteProject } from './projects/delete.js';
import { getProject } from './projects/get.js';
import { listProjects } from './projects/list.js';
import { listProjectRevisions } from './projects/list-revisions.js';
import { updateProject } from './projects/update.js';
import { compareResults } from './results/compare.js';
import { getResults } from './results/get.js';
import { uploadResults } from './results/upload.js';
import { getProjectSchema } from './schemas/project.js';
import { getAccess } from './shares/access.js';
import { createShare } from './shares/create.js';
import { deleteShare } from './shares/delete.js';
import { getShareLink } from './shares/link.js';
import { listShares } from './shares/list.js';
import { setGroup } from './shares/set-group.js';
import { deleteSimulation } from './simulations/delete.js';
import { listSimulations } from './simulations/list.js';
import { listSimulators } from './simulators/list.js';
import { updateTask } from './tasks/update.js';
import { getTemplate } from './templates/get.js';
import { listTemplates } from './templates/list.js';
import { getUsage } from './usage/get.js';
import { getEmail } from './users/get-email.js';
import { listRemovals } from './users/removals.js';
import { createSavedSearch } from './users/searches/create.js';
import { deleteSavedSearch } from './users/searches/delete.js';
import { listSavedSearches } from './users/searches/list.js';
import { listSubscriptions } from './users/subscriptions/list.js';
import { putSubscription } from './users/subscriptions/put.js';
import { updateUser } from './users/update.js';
import { updateEmail } from './users/update-email.js';
import { createWebhook } from './users/webhooks/create.js';
import { deleteWebhook } from './users/webhooks/delete.js';
import { listWebhooks } from './users/webhooks/list.js';
import { testWebhook } from './users/webhooks/test-webhook.js';

/** Every operation of the gateway, in the order of the interface document. */
export const ROUTES: readonly Route[] = [
  about,
  livez,
  readyz,
  getLimits,
  getOpenApi,
  getProjectSchema,
  listSimulators,
  listTemplates,
  getTemplate,
  register,
  login,
  refreshSession,
  getSessionStatus,
  logout,
  requestPasswordReset,
  confirmPasswordReset,
  confirmEmail,
  getSsoRealm,
  loginWithSso,
  loginWithSsoCode,
  logoutFromSso,
  listSessions,
  deleteSessions,
  createToken,
  listTokens,
  deleteToken,
  createGroup,
  listGroups,
  updateGroup,
  deleteGroup,
  createMember,
  listMembers,
  updateMember,
  deleteMember,
  estimateJob,
  submitDirectJob,
  getDirectJob,
  cancelDirectJob,
  stopDirectJob,
  extendDirectJob,
  submitBatchJob,
  getBatchJob,
  cancelBatchJob,
  stopBatchJob,
  extendBatchJob,
  getJob,
  getCrate,
  updateJobLabels,
  updateJob,
  followJobs,
  getResults,
  compareResults,
  uploadResults,
  listEstimators,
  getInputs,
  getLogfiles,
  uploadLogfiles,
  updateTask,
  listSimulations,
  deleteSimulation,
  createSavedSearch,
  listSavedSearches,
  deleteSavedSearch,
  getUsage,
  createShare,
  listShares,
  deleteShare,
  setGroup,
  getAccess,
  getShareLink,
  createProject,
  listProjects,
  getProject,
  updateProject,
  listProjectRevisions,
  deleteProject,
  updateUser,
  listRemovals,
  getEmail,
  updateEmail,
  listSubscriptions,
  putSubscription,
  createWebhook,
  listWebhooks,
  testWebhook,
  deleteWebhook,
  listClusters,
  listAllJobs,
  cancelAnyJob,
  failAnyJob,
  retryAnyJob,
  mergeAnyJob,
  listLoads,
  listRunners,
  drainRunner,
  listPauses,
  setPause,
  listQuotas,
  setQuota,
  listAllUsage,
  getRetention,
  setRetention,
  listUsers,
  blockUser,
  endUserSessions,
  resetUserPassword,
  deleteUser,
  createClass,
  listClasses,
  setClassQuota,
  createInvitations,
  endClass,
  exportClass,
  listAudit,
];
