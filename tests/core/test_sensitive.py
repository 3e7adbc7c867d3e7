from __future__ import annotations

import time

import pytest

from jupyter_mcp_elicit.core import RequestedSchema
from jupyter_mcp_elicit.core.field import Kind
from jupyter_mcp_elicit.core.sensitive import asks_for_secret

#: Words that the rules were written for.
SECRETS = [
    "password",
    "passwd",
    "pwd",
    "apiKey",
    "api_key",
    "API-KEY",
    "token",
    "github_token",
    "accessToken",
    "clientSecret",
    "secret",
    "private_key",
    "PIN",
    "OTP",
    "CVV",
    "cvc",
    "p@ssword",
    "passw0rd",
    "pa$$word",
    "s3cret",
    "pаssword",
    "2FA_code",
    "seed_phrase",
    "recovery_code",
    "db_password",
    "openai_key",
    "userPassword",
    "пароль",
    "Passwort",
    "contraseña",
    "密码",
]
HARMLESS = [
    "max_tokens",
    "token_count",
    "tokenCount",
    "nextPageToken",
    "pinned_version",
    "primary_key",
    "sort_key",
    "promo_code",
    "public_key",
    "secretName",
    "zip_code",
    "status_code",
    "passenger",
    "compass",
    "password_policy",
    "access_level",
    "keyboard",
    "opt",
    "secretary",
    "tokenizer",
    "title",
    "name",
    "email",
]

#: What the APIs of well-known services call their fields; collected after the rules, and not tuned on.
HELD_OUT_SECRETS = [
    "Authorization token",
    "X-Api-Key",
    "aws_secret_access_key",
    "AWS_SESSION_TOKEN",
    "stripe_secret_key",
    "twilioAuthToken",
    "slack_bot_token",
    "webhook_signing_secret",
    "client_secret",
    "refresh_token",
    "id_token",
    "personalAccessToken",
    "azure_storage_account_key",
    "SAS token",
    "consumer_secret",
    "bearerToken",
    "ssh_private_key",
    "sshPassphrase",
    "gpg_passphrase",
    "mysql_root_password",
    "POSTGRES_PASSWORD",
    "smtpPassword",
    "redis_auth_token",
    "sudo password",
    "wifi_password",
    "vault_token",
    "kubeconfig token",
    "npm_token",
    "pypi_token",
    "DOCKERHUB_TOKEN",
    "one-time password",
    "totp_code",
    "SMS code",
    "verification_code",
    "authenticator code",
    "security code",
    "card_number",
    "credit card number",
    "cardCvc",
    "account PIN",
    "mnemonic_phrase",
    "recovery phrase",
    "wallet_private_key",
    "encryptionKey",
    "jwt_secret",
    "session_cookie",
    "HF_TOKEN",
    "ANTHROPIC_API_KEY",
    "service account credentials",
    "login credentials",
    "master password",
    "new_password",
    "confirmPassword",
    "current password",
    "backup codes",
    "license secret",
    "oauth_token_secret",
    "datadog_app_key",
    "sendgrid api key",
    "Your GitHub token",
]
HELD_OUT_HARMLESS = [
    "max_completion_tokens",
    "prompt_tokens",
    "total_tokens",
    "token_type",
    "pageToken",
    "next_token",
    "continuationToken",
    "nextSyncToken",
    "token_limit",
    "tokenAddress",
    "tokenSymbol",
    "stop_token",
    "eos_token_id",
    "vocab_tokens",
    "key",
    "keyword",
    "keywords",
    "primaryKey",
    "partition_key",
    "foreign_key",
    "idempotency_key",
    "issue_key",
    "project_key",
    "routing_key",
    "publishable_key",
    "hotkey",
    "cache_key",
    "object_key",
    "s3_key_prefix",
    "key_id",
    "kms_key_arn",
    "access_key_id",
    "secret_name",
    "secretId",
    "secret_arn",
    "password_reset_url",
    "password_min_length",
    "passwordExpiryDays",
    "forgot_password_email",
    "country_code",
    "currencyCode",
    "postal code",
    "area code",
    "error_code",
    "exit_code",
    "language_code",
    "source code",
    "code",
    "discount code",
    "booking code",
    "airport_code",
    "qr_code",
    "color_code",
    "pin_to_top",
    "pinned",
    "gpio_pin",
    "pinterest_board",
    "shipping address",
    "opt_in",
    "passing_score",
    "passenger_name",
    "bypass_cache",
    "passport_country",
    "boarding pass",
    "access_mode",
    "author",
    "authority",
    "authentication_method",
    "auth_provider",
    "authorized_users",
    "security_group",
    "security_level",
    "card_id",
    "card_type",
    "business card",
    "trello_card",
    "session_id",
    "session_timeout",
    "cookie_policy",
    "seed",
    "random_seed",
    "seed_url",
    "phrase",
    "search_phrase",
    "mfa_required",
    "two_factor_enabled",
    "credential_type",
    "certificate_name",
    "username",
    "user_id",
    "login",
    "email_address",
    "phone_number",
    "birthday",
    "repo",
    "branch",
    "commit_message",
    "description",
    "quantity",
    "party_size",
]


def misses(names: list[str], expected: bool) -> list[str]:
    return [name for name in names if asks_for_secret(name) is not expected]


def test_the_words_of_secrets_are_told_from_words_that_look_like_them() -> None:
    assert misses(SECRETS, True) == []
    assert misses(HARMLESS, False) == []


def test_of_real_names_not_seen_before_most_secrets_are_found_and_few_alarms_are_false() -> None:
    missed = misses(HELD_OUT_SECRETS, True)
    false = misses(HELD_OUT_HARMLESS, False)
    assert 1 - len(missed) / len(HELD_OUT_SECRETS) >= 0.85, missed
    assert len(false) / len(HELD_OUT_HARMLESS) <= 0.05, false


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Paste your GitHub token", True),
        ("To go on, enter the 6 digits.\nWe need your verification code!", True),
        ("Your e-mail address. Never enter a password here.", False),
        ("Where to send the password reset email", False),
        ("A bearer of news about the mfa policy", False),
        ("Enter the name of the secret", False),
        ("The maximum number of tokens to sample", False),
    ],
)
def test_a_description_asks_when_it_tells_the_person_to_give_a_secret(
    description: str, expected: bool
) -> None:
    assert asks_for_secret("value", "", description) is expected


def test_the_format_and_write_only_say_it_too() -> None:
    assert asks_for_secret("x", format="password")
    assert asks_for_secret("x", write_only=True)
    assert not asks_for_secret("x", format="email")


def test_what_is_not_typed_is_no_secret() -> None:
    for kind in (Kind.BOOLEAN, Kind.CHOICE, Kind.CHOICES, Kind.DATE, Kind.DATE_TIME):
        assert not asks_for_secret("password", kind=kind)
    assert asks_for_secret("pin", kind=Kind.INTEGER)


def test_the_fields_of_a_schema_say_whether_they_ask_for_a_secret() -> None:
    schema = RequestedSchema.parse(
        {
            "properties": {
                "user": {"type": "string"},
                "word": {"type": "string", "title": "Password"},
                "x": {"type": "string", "format": "password"},
                "y": {"type": "string", "writeOnly": True},
                "reset_password": {"type": "boolean"},
            }
        }
    )
    assert [field.sensitive for field in schema.fields] == [False, True, True, True, False]


def test_long_texts_are_read_quickly() -> None:
    start = time.thread_time()
    asks_for_secret("token name " * 10**5, "api key id " * 10**5, "enter your t0ken name " * 10**5)
    assert time.thread_time() - start < 0.1
