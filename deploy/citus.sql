-- How a Citus cluster distributes the tables, and the settings that the statements need. `npm run operator -- cluster distribute` runs it on
-- the coordinator as the owner of the tables, at any time and again after each new version: distributed tables are skipped.
--
-- Tables with the same type of key share a group, so that a rebalance moves fewer shards. Not here, so on the coordinator alone:
-- kysely_migration(_lock), graphile_worker.*, database_ids, master_keys, server_processes, restorations, operator_log, announcements, daily_figures, transparency_figures and the console's tables (operators,
-- operator_*, case_claims).
do $$
declare
  wanted record;
begin
  -- Foreign keys between distributed tables need it.
  perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
  -- Shards of unlogged tables cannot be moved while they are written to.
  for wanted in
    select oid::regclass as name from pg_class where relpersistence = 'u' and relname in ('decks', 'rate_limits')
  loop
    execute format('alter table %s set logged', wanted.name);
  end loop;
  for wanted in
    select * from (values
      -- int8: members, and what belongs to one; a table after those that it refers to
      ('members',                  'member_no',        'none'),
      ('profiles',                 'member_no',        'members'),
      ('data_keys',                'key_id',           'members'),
      ('sessions',                 'member_no',        'members'),
      ('passkeys',                 'member_no',        'members'),
      ('recovery_codes',           'member_no',        'members'),
      ('age_checks',               'member_no',        'members'),
      ('device_notices',           'member_no',        'members'),
      ('corrections',              'member_no',        'members'),
      ('destroyed_keys',           'key_number',       'members'),
      ('member_jobs',              'member_no',        'members'),
      ('media_files',              'member_no',        'members'),
      ('memberships',              'member_no',        'members'),
      ('grants',                   'member_no',        'members'),
      ('orders',                   'member_no',        'members'),
      ('transfers',                'member_no',        'members'),
      ('ledger_entries',           'member_no',        'members'),
      ('paypal_accounts',          'member_no',        'members'),
      ('verdicts',                 'actor',            'members'),
      ('likes_received',           'target',           'members'),
      ('last_verdicts',            'member_no',        'members'),
      ('decks',                    'viewer',           'members'),
      ('quota_days',               'member_no',        'members'),
      ('match_edges',              'member_no',        'members'),
      ('ended_matches',            'member_no',        'members'),
      ('clear_icon_viewers',       'member_no',        'members'),
      ('block_edges',              'owner',            'members'),
      ('never_see',                'owner',            'members'),
      ('cases',                    'case_no',          'members'),
      ('case_evidence',            'case_no',          'members'),
      ('case_decisions',           'case_no',          'members'),
      ('case_contacts',            'case_no',          'members'),
      ('member_notices',           'member_no',        'members'),
      ('notices',                  'case_no',          'members'),
      ('notice_hits',              'case_no',          'members'),
      ('reports',                  'case_no',          'members'),
      ('reports_given',            'reporter_no',      'members'),
      ('inbox',                    'member_no',        'members'),
      ('hidden_conversations',     'member_no',        'members'),
      ('read_receipt_opt_outs',    'member_no',        'members'),
      ('typing_opt_ins',           'member_no',        'members'),
      ('picture_opt_outs',         'member_no',        'members'),
      ('unwanted_pictures',        'member_no',        'members'),
      ('sent_links',               'member_no',        'members'),
      ('notification_preferences', 'member_no',        'members'),
      ('notification_outbox',      'member_no',        'members'),
      ('push_subscriptions',       'member_no',        'members'),
      ('suspended_pictures',       'member_no',        'members'),
      ('picture_reviews',          'member_no',        'members'),
      ('help_messages',            'member_no',        'members'),
      ('email_changes',            'member_no',        'members'),
      ('mailbox_requests',         'member_no',        'members'),
      ('announced_members',        'member_no',        'members'),
      -- int4: the search
      ('searchables',              'region',           'none'),
      -- text: conversations, coupons and PayPal's ids
      ('conversations',            'pair',             'none'),
      ('messages',                 'pair',             'conversations'),
      ('hidden_messages',          'pair',             'conversations'),
      ('unsent_messages',          'pair',             'conversations'),
      ('coupons',                  'coupon_id',        'conversations'),
      ('coupon_uses',              'coupon_id',        'conversations'),
      ('paypal_refs',              'paypal_id',        'conversations'),
      ('webhook_events',           'event_id',         'conversations'),
      -- bytea: digests
      ('logins',                   'user_id_digest',   'none'),
      ('email_index',              'email_digest',     'logins'),
      ('social_index',             'subject_digest',   'logins'),
      ('mailboxes',                'mailbox_digest',   'logins'),
      ('former_accounts',          'mailbox_digest',   'logins'),
      ('former_user_ids',          'user_id_digest',   'logins'),
      ('left_accounts',            'user_id_digest',   'logins'),
      ('suspended_mailboxes',      'mailbox_digest',   'logins'),
      ('passkey_index',            'credential_digest', 'logins'),
      ('suspended_paypal',         'account_digest',   'logins'),
      ('never_see_index',          'digest',           'logins'),
      ('push_endpoints',           'endpoint_digest',  'logins'),
      ('codes',                    'email_digest',     'logins'),
      ('rate_limits',              'subject_digest',   'logins'),
      ('call_outcomes',            'key_digest',       'logins'),
      ('spent_challenges',         'challenge_digest', 'logins'),
      ('socket_tickets',           'ticket_digest',    'logins'),
      ('sign_up_networks',         'network_digest',   'logins'),
      -- uuid: the archive
      ('closed_orders',            'archive_id',       'none'),
      ('closed_transfers',         'archive_id',       'closed_orders'),
      -- copied to every node: read often, written by one job
      ('cell_counts',              null,               null)
    ) as t (name, key, beside)
  loop
    continue when exists (select from pg_dist_partition where logicalrelid = wanted.name::regclass);
    if wanted.key is null then
      perform create_reference_table(wanted.name::regclass);
    else
      perform create_distributed_table(wanted.name::regclass, wanted.key, colocate_with => wanted.beside);
    end if;
  end loop;
  -- The coordinator keeps a hidden copy of each table, and refuses to empty it while another one refers to it.
  for wanted in select logicalrelid as name from pg_dist_partition loop
    if pg_relation_size(wanted.name) > 0 then
      perform truncate_local_data_after_distributing_table(wanted.name);
    end if;
  end loop;
end $$;
